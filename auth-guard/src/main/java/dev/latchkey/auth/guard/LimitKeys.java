package dev.latchkey.auth.guard;

import dev.latchkey.auth.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Digests of accounts, sources and principals: HMAC-SHA-256, cut to 128 bits, over fields that carry their length. */
final class LimitKeys {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final SecretKeySpec key;

    private LimitKeys(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** Under a random key that lives as long as the process. */
    static LimitKeys random() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return new LimitKeys(key);
    }

    /**
     * Under a key that several nodes share, so that they mean the same bucket.
     *
     * @throws IllegalArgumentException if the key is shorter than 32 bytes
     */
    static LimitKeys shared(Secret key) {
        if (key.length() < KEY_BYTES) {
            throw new IllegalArgumentException(
                    "The key of shared limits needs at least " + KEY_BYTES + " bytes, got " + key.length());
        }
        return key.withBytes(LimitKeys::new);
    }

    BucketKey source(ClientSource source) {
        return of("source", source.network());
    }

    BucketKey pair(LoginAttempt attempt) {
        return of("pair", folded(attempt.account()), attempt.source().network());
    }

    BucketKey account(LoginAttempt attempt) {
        return of("account", folded(attempt.account()));
    }

    BucketKey lane(BucketPolicy lane, LoginAttempt attempt) {
        return of(lane.name(), folded(attempt.account()));
    }

    BucketKey principal(String principal) {
        return of("principal", principal);
    }

    private BucketKey of(String kind, String... fields) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            update(mac, kind);
            for (String field : fields) {
                update(mac, field);
            }
            ByteBuffer digest = ByteBuffer.wrap(mac.doFinal());
            return new BucketKey(digest.getLong(), digest.getLong());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK has no " + ALGORITHM + ", which every JDK must have", e);
        }
    }

    private static void update(Mac mac, String field) {
        byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        mac.update(bytes);
    }

    /**
     * One form for the spellings that a store may take for one account. A store that tells {@code Ann} from {@code ann} has
     * them share their limits, which harms nobody; one that does not would otherwise have a fresh limit for every spelling.
     */
    private static String folded(String account) {
        String composed = Normalizer.normalize(account.strip(), Normalizer.Form.NFKC);
        return composed.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }
}
