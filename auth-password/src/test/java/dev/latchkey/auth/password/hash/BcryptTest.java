package dev.latchkey.auth.password.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Runs with each line of Spring Security, because one of the two hashes is Spring's. */
class BcryptTest {

    @Test
    void bothBcrypts_giveTheSameBytes() {
        byte[] salt = "sixteen bytes ok".getBytes(StandardCharsets.US_ASCII);
        for (int length = 1; length <= Bcrypt.MAX_PASSWORD_BYTES; length++) {
            byte[] password = "p".repeat(length).getBytes(StandardCharsets.US_ASCII);

            assertThat(Bcrypt.bySpring(password, salt, 4)).isEqualTo(Bcrypt.ByBouncyCastle.hash(password, salt, 4));
        }
    }
}
