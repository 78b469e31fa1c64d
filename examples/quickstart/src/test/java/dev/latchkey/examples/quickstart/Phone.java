package dev.latchkey.examples.quickstart;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Instant;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An authenticator app (RFC 6238), which knows the secret and the time. */
final class Phone {

    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final int STEP_SECONDS = 30;

    private Phone() {}

    /** The code now, or some steps of half a minute later. */
    static String code(String secret, int stepsLater) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(decoded(secret), "HmacSHA1"));
            long step = Instant.now().getEpochSecond() / STEP_SECONDS + stepsLater;
            byte[] hash =
                    mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(step).array());
            int truncated = ByteBuffer.wrap(hash).getInt(hash[hash.length - 1] & 0xf) & 0x7fff_ffff;
            return "%06d".formatted(truncated % 1_000_000);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] decoded(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(text.length() * 5 / 8);
        int bits = 0;
        int pending = 0;
        for (int i = 0; i < text.length(); i++) {
            pending = (pending << 5 | BASE32.indexOf(text.charAt(i))) & 0xfff;
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                bytes.put((byte) (pending >> bits));
            }
        }
        return bytes.array();
    }
}
