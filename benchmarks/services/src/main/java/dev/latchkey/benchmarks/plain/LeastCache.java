package dev.latchkey.benchmarks.plain;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The least that a cache of verified passwords costs: an HMAC and a look-up. Without a bound, an expiry, limits or a protection of the heap, so for
 * measurements only.
 */
final class LeastCache implements PasswordEncoder {

    private static final String ALGORITHM = "HmacSHA256";

    private final PasswordEncoder hashes = new BCryptPasswordEncoder();
    private final Map<String, byte[]> verified = new ConcurrentHashMap<>();
    private final ThreadLocal<Mac> macs;

    LeastCache() {
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        SecretKeySpec shared = new SecretKeySpec(key, ALGORITHM);
        this.macs = ThreadLocal.withInitial(() -> mac(shared));
    }

    private static Mac mac(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public @Nullable String encode(@Nullable CharSequence password) {
        return hashes.encode(password);
    }

    @Override
    public boolean matches(@Nullable CharSequence password, @Nullable String stored) {
        if (password == null || stored == null) {
            return false;
        }
        byte[] digest = macs.get().doFinal(password.toString().getBytes(StandardCharsets.UTF_8));
        byte[] known = verified.get(stored);
        if (known != null && MessageDigest.isEqual(known, digest)) {
            return true;
        }
        boolean isRight = hashes.matches(password, stored);
        if (isRight) {
            verified.put(stored, digest);
        }
        return isRight;
    }
}
