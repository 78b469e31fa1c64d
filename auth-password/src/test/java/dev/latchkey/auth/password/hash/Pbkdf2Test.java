package dev.latchkey.auth.password.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Pbkdf2Test {

    private static final int DIFFERENTIAL_CASES = 10_000;

    private static final Map<String, Pbkdf2> BY_NAME =
            Map.of("SHA1", Pbkdf2.SHA1, "SHA256", Pbkdf2.SHA256, "SHA512", Pbkdf2.SHA512);

    /** RFC 7914 section 11 (the first two), RFC 6070 (SHA-1 of its first three inputs and the fifth), and RFC 6070's inputs under SHA-2. */
    @ParameterizedTest
    @CsvSource({
        "SHA256, passwd, salt, 1, 55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783",
        "SHA256, Password, NaCl, 80000, 4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
                + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d",
        "SHA1, password, salt, 1, 0c60c80f961f0e71f3a9b524af6012062fe037a6",
        "SHA1, password, salt, 2, ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957",
        "SHA1, password, salt, 4096, 4b007901b765489abead49d926f721d065a429c1",
        "SHA1, passwordPASSWORDpassword, saltSALTsaltSALTsaltSALTsaltSALTsalt, 4096, 3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038",
        "SHA256, password, salt, 1, 120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b",
        "SHA256, password, salt, 2, ae4d0c95af6b46d32d0adff928f06dd02a303f8ef3c251dfd6e2d85a95474c43",
        "SHA256, password, salt, 4096, c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a",
        "SHA256, passwordPASSWORDpassword, saltSALTsaltSALTsaltSALTsaltSALTsalt, 4096, 348c89dbcbd32b2f32d814b8116e84cf2b17347ebc1800181c",
        "SHA512, password, salt, 1, 867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252c02d470a285a0501bad999bfe943c08f050235d7d68b1da55e63f73b60a57fce",
        "SHA512, password, salt, 2, e1d9c16aa681708a45f5c7c4e215ceb66e011a2e9f0040713f18aefdb866d53cf76cab2868a39b9f7840edce4fef5a82be67335c77a6068e04112754f27ccf4e",
        "SHA512, password, salt, 4096, d197b1b33db0143e018b12f3d1d1479e6cdebdcc97c5c0f87f6902e072f457b5143f30602641b3d55cd335988cb36b84376060ecd532e039b742a239434af2d5",
        "SHA512, passwordPASSWORDpassword, saltSALTsaltSALTsaltSALTsaltSALTsalt, 4096, 8c0511f4c6e597c6ac6315d8f0362e225f3c501495ba23b868"
    })
    void publishedVector_isReproduced(String digest, String password, String salt, int iterations, String expected) {
        byte[] derived = BY_NAME.get(digest).derive(utf8(password), utf8(salt), iterations, expected.length() / 2);

        assertThat(HexFormat.of().formatHex(derived)).isEqualTo(expected);
    }

    @Test
    void tenThousandRandomCases_areTheJdksBytes() throws GeneralSecurityException {
        Random random = new Random(8018);
        for (int i = 0; i < DIFFERENTIAL_CASES; i++) {
            String digest = new String[] {"SHA1", "SHA256", "SHA512"}[i % 3];
            char[] password = printable(random, 1 + random.nextInt(i % 10 == 0 ? 300 : 40));
            byte[] salt = new byte[1 + random.nextInt(40)];
            random.nextBytes(salt);
            int iterations = 1 + random.nextInt(20);
            int length = 1 + random.nextInt(150);

            byte[] ours = BY_NAME.get(digest).derive(utf8(new String(password)), salt, iterations, length);

            assertThat(ours).as("case %d", i).isEqualTo(jdk(digest, password, salt, iterations, length));
        }
    }

    private static byte[] jdk(String digest, char[] password, byte[] salt, int iterations, int length)
            throws GeneralSecurityException {
        return SecretKeyFactory.getInstance("PBKDF2WithHmac" + digest)
                .generateSecret(new PBEKeySpec(password, salt, iterations, length * 8))
                .getEncoded();
    }

    private static char[] printable(Random random, int length) {
        char[] text = new char[length];
        for (int i = 0; i < length; i++) {
            text[i] = (char) (random.nextInt(5) == 0 ? 0xa1 + random.nextInt(0x5000) : 0x21 + random.nextInt(0x5e));
        }
        return text;
    }

    @Test
    void digestThatCannotBeCloned_givesTheSameBytes() {
        Pbkdf2 slow = new Pbkdf2(Digest.SHA256, NotCloneable::new);

        assertThat(Digest.canClone(new NotCloneable())).isFalse();
        assertThat(slow.derive(utf8("passwd"), utf8("salt"), 7, 70))
                .isEqualTo(Pbkdf2.SHA256.derive(utf8("passwd"), utf8("salt"), 7, 70));
        assertThat(slow.derive(utf8("k".repeat(65)), utf8("salt"), 2, 32))
                .isEqualTo(Pbkdf2.SHA256.derive(utf8("k".repeat(65)), utf8("salt"), 2, 32));
    }

    @Test
    void digestThatCanBeClonedOnlyWhileItIsFresh_givesTheSameBytes() {
        Pbkdf2 pbkdf2 = new Pbkdf2(Digest.SHA256, CloneableWhileFresh::new);

        assertThat(pbkdf2.derive(utf8("passwd"), utf8("salt"), 7, 70))
                .isEqualTo(Pbkdf2.SHA256.derive(utf8("passwd"), utf8("salt"), 7, 70));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A provider's digest over native memory, say. */
    private static class NotCloneable extends MessageDigest {

        private final MessageDigest digest = Digest.SHA256.start();

        NotCloneable() {
            super("SHA-256");
        }

        @Override
        protected int engineGetDigestLength() {
            return digest.getDigestLength();
        }

        @Override
        protected void engineUpdate(byte input) {
            digest.update(input);
        }

        @Override
        protected void engineUpdate(byte[] input, int offset, int length) {
            digest.update(input, offset, length);
        }

        @Override
        protected byte[] engineDigest() {
            return digest.digest();
        }

        @Override
        protected int engineDigest(byte[] buffer, int offset, int length) throws DigestException {
            return digest.digest(buffer, offset, length);
        }

        @Override
        protected void engineReset() {
            digest.reset();
        }

        @Override
        public Object clone() throws CloneNotSupportedException {
            throw new CloneNotSupportedException();
        }
    }

    /** A digest that moves its state elsewhere after the first byte. */
    private static final class CloneableWhileFresh extends NotCloneable {

        private boolean fresh = true;

        @Override
        protected void engineUpdate(byte[] input, int offset, int length) {
            fresh = false;
            super.engineUpdate(input, offset, length);
        }

        @Override
        protected void engineReset() {
            fresh = true;
            super.engineReset();
        }

        @Override
        public Object clone() throws CloneNotSupportedException {
            if (!fresh) {
                throw new CloneNotSupportedException();
            }
            return new CloneableWhileFresh();
        }
    }
}
