package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.commons.codec.digest.Md5Crypt;
import org.apache.commons.codec.digest.Sha2Crypt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A second opinion on the four kinds of crypt(3) that are computed here, at every length of password and salt. */
@Tag("long")
class CryptDifferentialTest {

    private static final PasswordEncoders ENCODERS = Foreign.encoders();

    @Test
    void cryptOfAnyLength_isThatOfCommonsCodec() {
        Random random = new Random(3);
        for (int length = 1; length <= 140; length++) {
            String password = printable(random, length);
            byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
            String salt = salt(random, 1 + random.nextInt(8));

            assertMatches(password, Md5Crypt.md5Crypt(bytes.clone(), "$1$" + salt));
            assertMatches(password, Md5Crypt.apr1Crypt(bytes.clone(), "$apr1$" + salt));
            assertMatches(password, Sha2Crypt.sha256Crypt(bytes.clone(), "$5$rounds=1000$" + salt + salt));
            assertMatches(password, Sha2Crypt.sha512Crypt(bytes.clone(), "$6$rounds=1000$" + salt + salt));
        }
    }

    private static void assertMatches(String password, String hash) {
        assertThat(ENCODERS.matches(password, hash)).as(hash).isTrue();
        assertThat(ENCODERS.matches(password + "x", hash)).isFalse();
    }

    private static String printable(Random random, int length) {
        return random.ints(length, 0x21, 0x250)
                .map(c -> c < 0x7f || c > 0xa0 ? c : 'x')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static String salt(Random random, int length) {
        return random.ints(length, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
