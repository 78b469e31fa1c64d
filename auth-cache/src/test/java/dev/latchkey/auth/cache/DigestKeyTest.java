package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class DigestKeyTest {

    private static final byte[] KEY =
            "0123456789abcdef0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    /** What a wiped pad is. */
    private static final byte[] ZEROS = new byte[64];

    @Test
    void digest_isTheHmacOfLabelAndMessage() throws Exception {
        DigestKey key = DigestKey.of(KEY, DigestKeyTest::sha256);
        for (int length = 0; length < 300; length++) {
            byte[] message = message(length);
            assertThat(key.digest(message)).isEqualTo(mac(message));
        }
    }

    @Test
    void digestsThatCannotBeCloned_giveTheSame() throws Exception {
        DigestKey key = DigestKey.of(KEY, Unclonable::new);
        for (int length : new int[] {0, 1, 47, 48, 63, 64, 110, 1_000}) {
            assertThat(key.digest(message(length))).isEqualTo(mac(message(length)));
        }
    }

    @Test
    void wipedKey_hasZeroPads_andNoAbsorbedInput() {
        DigestKey key = DigestKey.of(KEY, DigestKeyTest::sha256);
        key.wipe();
        assertThat(key.digest(message(110))).isEqualTo(hashed(ZEROS, hash(message(110))));
    }

    @Test
    void wipedKeyWithoutClones_hasZerosForItsPads() {
        DigestKey key = DigestKey.of(KEY, Unclonable::new);
        key.wipe();
        assertThat(key.digest(message(110))).isEqualTo(hashed(ZEROS, hash(ZEROS, DigestKey.LABEL, message(110))));
    }

    @Test
    void keyFromARandomSource_isLeftNowhereElse() {
        AtomicReference<byte[]> drawn = new AtomicReference<>(new byte[0]);
        DigestKey key = DigestKey.random(new SecureRandom() {
            private static final long serialVersionUID = 1;

            @Override
            public void nextBytes(byte[] bytes) {
                System.arraycopy(KEY, 0, bytes, 0, bytes.length);
                drawn.set(bytes);
            }
        });
        assertThat(drawn.get()).hasSize(KEY.length).containsOnly(0);
        assertThat(key.digest(message(110)))
                .isEqualTo(DigestKey.of(KEY, DigestKeyTest::sha256).digest(message(110)));
    }

    @Test
    void randomKeys_differ() {
        SecureRandom random = new SecureRandom();
        assertThat(DigestKey.random(random).digest(message(110)))
                .isNotEqualTo(DigestKey.random(random).digest(message(110)));
    }

    private static CredentialDigest mac(byte[] message) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        mac.update(DigestKey.LABEL);
        ByteBuffer bytes = ByteBuffer.wrap(mac.doFinal(message));
        return new CredentialDigest(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
    }

    private static CredentialDigest hashed(byte[]... parts) {
        ByteBuffer bytes = ByteBuffer.wrap(hash(parts));
        return new CredentialDigest(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
    }

    private static byte[] hash(byte[]... parts) {
        MessageDigest digest = sha256();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    private static byte[] message(int length) {
        byte[] message = new byte[length];
        for (int i = 0; i < length; i++) {
            message[i] = (byte) (i * 7);
        }
        return message;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** As of a provider in hardware. */
    private static final class Unclonable extends MessageDigest {

        private final MessageDigest sha256 = sha256();

        Unclonable() {
            super("SHA-256");
        }

        @Override
        protected void engineUpdate(byte input) {
            sha256.update(input);
        }

        @Override
        protected void engineUpdate(byte[] input, int offset, int length) {
            sha256.update(input, offset, length);
        }

        @Override
        protected byte[] engineDigest() {
            return sha256.digest();
        }

        @Override
        protected int engineGetDigestLength() {
            return sha256.getDigestLength();
        }

        @Override
        protected void engineReset() {
            sha256.reset();
        }

        @Override
        public Object clone() throws CloneNotSupportedException {
            throw new CloneNotSupportedException();
        }
    }
}
