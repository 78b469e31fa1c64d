package dev.latchkey.plugins.codes;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
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
 * What an account shares with its authenticator app, and the codes that follow from it: RFC 6238 with steps of 30 seconds and six digits.
 *
 * <p>The digests of recovery codes are keyed with it too, and the seals of remembered devices. It is stored encrypted, so they are worth
 * nothing to who has the table alone, and nothing in another account's row; and a new encryption key leaves them as they are, while a new
 * enrolment ends them all. The uses do not meet: a code is an HMAC over eight bytes, a digest or a seal one over more, which begins
 * with what it is for.
 *
 * <p>Immutable, and safe for use by any number of threads. Prints nothing of what it holds.
 */
final class CodeSecret {

    static final int DIGITS = 6;
    static final Duration STEP = Duration.ofSeconds(30);

    /** How far an app's clock may be off, to either side (RFC 6238 section 5.2). */
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

    /** What {@link #bytes} wrote. */
    static CodeSecret of(byte[] bytes) {
        int end = 0;
        while (bytes[end] != ' ') {
            end++;
        }
        String algorithm = new String(bytes, 0, end, StandardCharsets.US_ASCII);
        return new CodeSecret(CodeAlgorithm.valueOf(algorithm), Arrays.copyOfRange(bytes, end + 1, bytes.length));
    }

    /** To be encrypted and stored: the algorithm's name, a space, and the key. */
    byte[] bytes() {
        byte[] name = (algorithm + " ").getBytes(StandardCharsets.US_ASCII);
        byte[] bytes = Arrays.copyOf(name, name.length + key.length);
        System.arraycopy(key, 0, bytes, name.length, key.length);
        return bytes;
    }

    CodeAlgorithm algorithm() {
        return algorithm;
    }

    /** As it is typed into an app that cannot see the QR code. */
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

    /** The latest step of which this is the code, within the drift around this one. In a time that does not tell which. */
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

    /** What is stored of a recovery code. */
    String recoveryDigest(String code) {
        return HexFormat.of().formatHex(mac().doFinal((RECOVERY + code).getBytes(StandardCharsets.UTF_8)));
    }

    /** What makes a device's token good: nobody else can make it, for these facts or for others. */
    byte[] deviceSeal(List<byte[]> facts) {
        Mac mac = mac();
        mac.update(DEVICE.getBytes(StandardCharsets.UTF_8));
        for (byte[] fact : facts) {
            // With its length, so that no two lists of facts are one text.
            mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(fact.length).array());
            mac.update(fact);
        }
        return mac.doFinal();
    }

    private Mac mac() {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256", e);
        }
    }

    @Override
    public String toString() {
        return "CodeSecret[****]";
    }
}
