package dev.latchkey.plugins.codes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's controller equals the controller beside this class, and the README's table of settings is complete. */
class ReadmeTest {

    private static final Path SOURCE =
            Path.of("src/test/java/dev/latchkey/plugins/codes/spring/OwnCodesController.java");

    @Test
    void controller_isTheOneThatIsTested() throws IOException {
        Matcher snippet = Pattern.compile("```java\\n(@RestController.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("README.md")));
        assertThat(snippet.find()).isTrue();
        assertThat(Files.readString(SOURCE)).endsWith(snippet.group(1));
    }

    @Test
    void controller_worksOnWebFlux(@TempDir Path folder) {
        Services.webFlux()
                .withPropertyValues(Services.keyFile(folder))
                .withBean(OwnCodesController.class)
                .run(context -> {
                    Client client = Client.ofWebFlux(context);
                    String token = client.login("ada").member("access_token");
                    String proof = "{\"password\":\"" + Services.PASSWORD + "\"}";
                    assertThat(client.send("POST", "/my/codes", token, proof).body())
                            .startsWith("<svg ");
                    assertThat(client.send("POST", "/my/codes", token, "{\"password\":\"wrong\"}")
                                    .status())
                            .isEqualTo(403);
                });
    }

    @Test
    void settings_areAllNamed() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        for (RecordComponent setting : OneTimeCodesProperties.class.getRecordComponents()) {
            String name = setting.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            assertThat(readme).contains("\n| `" + name + "` |");
        }
    }
}
