package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The README's snippet, between the markers, is the code of this test. */
class ReadmeTest {

    @Test
    void snippet_compilesAndHolds() {
        Secret key = Secret.of(new byte[32]);
        // snippet
        PasswordEncoder encoder =
                PasswordEncoders.writing(HashSpec.of("bcrypt:cost=10")).withPepper(Pepper.of("2026", key));

        String stored = encoder.encode("tuba plinth vexed crumb");
        boolean right = encoder.matches("tuba plinth vexed crumb", stored);
        // end
        assertThat(right).isTrue();
    }

    @Test
    void readme_holdsTheSnippet() throws IOException {
        String test = Files.readString(Path.of("src/test/java/dev/latchkey/auth/password/ReadmeTest.java"));
        String snippet = test.substring(test.indexOf("// snippet\n") + 11, test.indexOf("        // end\n"));

        assertThat(Files.readString(Path.of("README.md")))
                .contains(snippet.stripTrailing().stripIndent());
    }
}
