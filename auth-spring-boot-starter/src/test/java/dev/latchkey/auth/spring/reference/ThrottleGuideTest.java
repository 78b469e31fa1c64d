package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.ThrottleScope;
import dev.latchkey.auth.guard.throttle.ThrottleSnapshot;
import dev.latchkey.auth.spring.ThrottledService;
import dev.latchkey.auth.spring.throttle.ThrottleProperties;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code how-to/throttle.md}, followed. */
class ThrottleGuideTest {

    private static final String PAGE = "how-to/throttle.md";

    @TempDir
    Path folder;

    @Test
    void sixthReportOfAUser_isRefused_andThatOfAnotherIsNot() throws Exception {
        try (Guide guide = Guide.of(PAGE, folder);
                ThrottledService service = ThrottledService.start(guide.configuration(0))) {
            for (int i = 0; i < 5; i++) {
                assertThat(service.getAs("ada", "/reports/1").join().statusCode())
                        .isEqualTo(404);
            }
            assertThat(service.getAs("ada", "/reports/1").join().statusCode()).isEqualTo(429);
            assertThat(service.getAs("eve", "/reports/1").join().statusCode()).isEqualTo(404);
        }
    }

    @Test
    void bytes_areCountedForEachSource() throws Exception {
        try (Guide guide = Guide.of(PAGE, folder);
                ThrottledService service = ThrottledService.start(of("/bodies/**", guide.configuration(1)))) {
            assertThat(service.getAs("ada", "/bodies/bytes/20000").join().statusCode())
                    .isEqualTo(200);
            ThrottleSnapshot downloads = service.controls().snapshot("downloads");
            assertThat(downloads.rates()).containsOnlyKeys(ThrottleScope.SOURCE);
            assertThat(downloads.passed()).isPositive();
        }
    }

    /** The configuration, for what this service has. */
    private static String[] of(String paths, String[] configuration) {
        return Arrays.stream(configuration)
                .map(setting -> setting.replace("/files/**", paths))
                .toArray(String[]::new);
    }

    @Test
    void settings_areAllNamed() throws IOException {
        String page = Files.readString(Path.of("..", "docs", PAGE));
        assertThat(namesOf(ThrottleProperties.Endpoints.class))
                .allSatisfy(name -> assertThat(page).contains("\n| `" + name + "` |"));
        assertThat(namesOf(ThrottleProperties.Rate.class))
                .allSatisfy(name -> assertThat(page).contains("`" + name + "` ("));
    }

    private static List<String> namesOf(Class<?> settings) {
        return Arrays.stream(settings.getRecordComponents())
                .map(RecordComponent::getName)
                .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .toList();
    }
}
