package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.ThrottleSnapshot;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.ByteArrayResource;

/** {@code how-to/throttle.md}, followed. */
@Tag("long")
class ThrottleGuideTest {

    private static final Path PAGE = Path.of("..", "docs", "how-to", "throttle.md");
    private static final Pattern YAML = Pattern.compile("(?ms)^ *```yaml\\n(.*?)^ *```");

    @Test
    void sixthReportOfAUser_isRefused_andThatOfAnotherIsNot() throws Exception {
        try (ThrottledService service = ThrottledService.start(configuration(0))) {
            HttpResponse<byte[]> first = service.getAs("ada", "/reports/1").join();
            assertShown(first, "RateLimit-Policy");
            assertShown(first, "RateLimit");
            for (int i = 1; i < 5; i++) {
                assertThat(service.getAs("ada", "/reports/1").join().statusCode())
                        .isEqualTo(404);
            }
            HttpResponse<byte[]> sixth = service.getAs("ada", "/reports/1").join();
            assertThat(sixth.statusCode()).isEqualTo(429);
            assertShown(sixth, "Retry-After");
            assertThat(service.getAs("eve", "/reports/1").join().statusCode()).isEqualTo(404);
        }
    }

    @Test
    void bytes_areCountedForEachSource() throws Exception {
        try (ThrottledService service = ThrottledService.start(of("/bodies/**", configuration(1)))) {
            assertThat(service.getAs("ada", "/bodies/bytes/20000").join().statusCode())
                    .isEqualTo(200);
            ThrottleSnapshot downloads = service.controls().snapshot("downloads");
            assertThat(downloads.rates()).containsOnlyKeys(ThrottleScope.SOURCE);
            assertThat(downloads.passed()).isPositive();
        }
    }

    /** A slow test has used up some of the twelve minutes until the next report. */
    private static void assertShown(HttpResponse<?> answer, String field) throws IOException {
        String value = answer.headers().firstValue(field).orElseThrow();
        assertThat(Files.readString(PAGE)).contains(field + ": " + value.replaceFirst("\\b7[0-2]\\d$", "720"));
    }

    /** The configuration of the page's block of this number, as {@code name=value}. */
    private static String[] configuration(int number) throws IOException {
        String yaml = YAML.matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .toList()
                .get(number);
        YamlPropertiesFactoryBean reader = new YamlPropertiesFactoryBean();
        reader.setResources(new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        return Objects.requireNonNull(reader.getObject()).entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .toArray(String[]::new);
    }

    /** The configuration, with the paths of this service. */
    private static String[] of(String paths, String[] configuration) {
        return Arrays.stream(configuration)
                .map(setting -> setting.replace("/files/**", paths))
                .toArray(String[]::new);
    }

    @Test
    void settings_areAllNamed() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(namesOf(ThrottleProperties.Endpoints.class))
                .allSatisfy(name -> assertThat(page).contains("\n| `" + name + "` |"));
        assertThat(namesOf(ThrottleProperties.Rate.class))
                .allSatisfy(name -> assertThat(page).contains("\n| `" + name + "` |"));
    }

    private static List<String> namesOf(Class<?> settings) {
        return Arrays.stream(settings.getRecordComponents())
                .map(RecordComponent::getName)
                .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .toList();
    }
}
