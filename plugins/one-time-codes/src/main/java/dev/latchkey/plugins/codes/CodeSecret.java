package dev.latchkey.plugins.codes;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import dev.latchkey.auth.engine.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The shared secret of an account and its authenticator app, and the codes of this secret: RFC 6238 with steps of 30
 * seconds and six digits.
 *
 * <p>The secret is also the key for the digests of recovery codes and for the seals of remembered devices. The secret
 * is stored encrypted, so the digests are worthless to a party with the table alone, and in another account's row. A
 * new encryption key does not change the digests, and a new enrolment ends all of them. The uses cannot be confused: a
 * code is an HMAC over eight bytes, a digest or a seal is an HMAC over more bytes with its purpose at the start.
 *
 * <p>Immutable, and safe for use by any number of threads. Never printed.
 */
final class CodeSecret {

    static final int DIGITS = 6;
    static final Duration STEP = Duration.ofSeconds(30);

    /** The accepted difference of an app's clock, in steps, in both directions (RFC 6238 section 5.2). */
    static final int DRIFT = 1;

    /** RFC 4226 section 4, R6. */
    private static final int BYTES = 20;

    private static final String RECOVERY = "latchkey recovery code ";
    private static final String DEVICE = "latchkey remembered device ";

    private final CodeAlgorithm algorithm;
    private final byte[] key;
    private final TimeBasedOneTimePasswordGenerator codes;

    CodeSecret(CodeAlgorithm algorithm, byte[] key) {
        this.algorithm = algorithm;
        this.key = key.clone();
        this.codes = new TimeBasedOneTimePasswordGenerator(STEP, DIGITS, algorithm.mac());
    }

    static CodeSecret random(CodeAlgorithm algorithm, SecureRandom random) {
        byte[] key = new byte[BYTES];
        random.nextBytes(key);
        return new CodeSecret(algorithm, key);
    }

    /** Reads the result of {@link #bytes}. */
    static CodeSecret of(byte[] bytes) {
        int end = 0;
        while (bytes[end] != ' ') {
            end++;
        }
        String algorithm = new String(bytes, 0, end, StandardCharsets.US_ASCII);
        return new CodeSecret(CodeAlgorithm.valueOf(algorithm), Arrays.copyOfRange(bytes, end + 1, bytes.length));
    }

    /** The form for encryption and storage: the algorithm's name, a space, and the key. */
    byte[] bytes() {
        byte[] name = (algorithm + " ").getBytes(StandardCharsets.US_ASCII);
        byte[] bytes = Arrays.copyOf(name, name.length + key.length);
        System.arraycopy(key, 0, bytes, name.length, key.length);
        return bytes;
    }

    CodeAlgorithm algorithm() {
        return algorithm;
    }

    /** The form to type into an app without a camera. */
    String text() {
        return Base32.RFC_4648.encode(key);
    }

    static long stepAt(Instant time) {
        return Math.floorDiv(time.getEpochSecond(), STEP.toSeconds());
    }

    String codeAt(long step) {
        try {
            Instant start = Instant.ofEpochSecond(step * STEP.toSeconds());
            return codes.generateOneTimePasswordString(new SecretKeySpec(key, algorithm.mac()), start, Locale.ROOT);
        } catch (InvalidKeyException e) {
            throw new IllegalStateException("An HMAC takes any key", e);
        }
    }

    /**
     * The latest step with this code, within the drift around the given step. The time of the comparison does not
     * depend on the step.
     */
    OptionalLong stepOf(String code, long around) {
        byte[] given = code.getBytes(StandardCharsets.UTF_8);
        OptionalLong found = OptionalLong.empty();
        for (long step = around - DRIFT; step <= around + DRIFT; step++) {
            if (MessageDigest.isEqual(codeAt(step).getBytes(StandardCharsets.UTF_8), given)) {
                found = OptionalLong.of(step);
            }
        }
        return found;
    }

    /** The stored digest of a recovery code. */
    String recoveryDigest(String code) {
        return HexFormat.of()
                .formatHex(Sha256.startHmac(key).doFinal((RECOVERY + code).getBytes(StandardCharsets.UTF_8)));
    }

    /** The proof of a device's token. Without the secret, a valid seal for these or other facts is impossible. */
    byte[] deviceSeal(List<byte[]> facts) {
        Mac mac = Sha256.startHmac(key);
        mac.update(DEVICE.getBytes(StandardCharsets.UTF_8));
        for (byte[] fact : facts) {
            // The length of each fact prevents two lists of facts with the same bytes.
            mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(fact.length).array());
            mac.update(fact);
        }
        return mac.doFinal();
    }

    @Override
    public String toString() {
        return "CodeSecret[****]";
    }
}
