package dev.latchkey.auth.password;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The portable hashes of phpass, {@code $P$} of WordPress and {@code $H$} of phpBB: 2^n rounds of MD5. Read only. */
final class PhpassFormat implements HashFormat {

    static final int MAX_LOG2_ROUNDS = 20;

    private static final String ALGORITHM = "phpass";
    private static final Pattern TEXT = Pattern.compile("\\$[PH]\\$[./0-9A-Za-z]{31}");
    private static final int LEAST_LOG2_ROUNDS = 7;

    @Override
    public @Nullable Reading read(String text) {
        if (!text.startsWith("$P$") && !text.startsWith("$H$")) {
            return null;
        }
        if (!TEXT.matcher(text).matches()) {
            return Reading.damaged(ALGORITHM);
        }
        int log2 = CryptBase64.value(text.charAt(3));
        if (log2 < LEAST_LOG2_ROUNDS) {
            return Reading.damaged(ALGORITHM);
        }
        if (log2 > MAX_LOG2_ROUNDS) {
            return Reading.beyond(ALGORITHM, "2^" + MAX_LOG2_ROUNDS + " rounds");
        }
        byte[] salt = text.substring(4, 12).getBytes(StandardCharsets.US_ASCII);
        byte[] stored = text.substring(12).getBytes(StandardCharsets.US_ASCII);
        return new Reading.Checkable(
                Parameters.of(ALGORITHM, "log2rounds", log2),
                password -> MessageDigest.isEqual(stored, hash(password, salt, 1 << log2)));
    }

    private static byte[] hash(byte[] password, byte[] salt, int rounds) {
        MessageDigest digest = Digests.of("MD5");
        digest.update(salt);
        byte[] sum = digest.digest(password);
        for (int i = 0; i < rounds; i++) {
            digest.update(sum);
            sum = digest.digest(password);
        }
        return CryptBase64.ofAll(sum).getBytes(StandardCharsets.US_ASCII);
    }
}
