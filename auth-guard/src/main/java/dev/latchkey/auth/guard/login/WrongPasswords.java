package dev.latchkey.auth.guard.login;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.HmacDigest;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The last wrong passwords of each account and client. A repeated wrong password tells the sender nothing, and is not a
 * new guess. One instance of a service with an old password must not block other instances behind the same address. The
 * passwords of overloaded logins are remembered too, right or wrong.
 *
 * <p>The entries are HMAC-SHA-256 digests, truncated to 128 bits, with a random key of this process. A bounded number
 * of pairs of an account and a client have a few entries each, for a limited time, only in memory. The digest includes
 * the pair, so that equal passwords of two pairs are not visible. Passwords of more than {@value #LONGEST} characters
 * are not remembered, and always count as new guesses.
 *
 * <p>Safe for use by any number of threads.
 */
final class WrongPasswords {

    private static final int PER_PAIR = 8;
    private static final int PAIRS = 10_000;
    private static final int KEY_BYTES = 32;
    private static final int LONGEST = 4_096;

    private final HmacDigest digests = HmacDigest.under(randomKey());
    private final Cache<BucketKey, BucketKey[]> last;

    WrongPasswords(Duration forAsLong, GuardTime time) {
        last = Caffeine.newBuilder()
                .maximumSize(PAIRS)
                .expireAfterWrite(forAsLong)
                .ticker(time::nanoTime)
                .build();
    }

    private static Secret randomKey() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return Secret.of(key);
    }

    void rememberFor(Duration forAsLong) {
        last.policy().expireAfterWrite().orElseThrow().setExpiresAfter(forAsLong);
    }

    /** The digest of a password, the only kept form; null for a password that is not remembered. */
    @Nullable
    BucketKey digest(BucketKey pair, @Nullable CharSequence password) {
        if (password == null || password.length() > LONGEST) {
            return null;
        }
        ByteBuffer message = ByteBuffer.allocate(2 * Long.BYTES + password.length() * Character.BYTES)
                .putLong(pair.high())
                .putLong(pair.low());
        for (int i = 0; i < password.length(); i++) {
            message.putChar(password.charAt(i));
        }
        BucketKey digest = digests.of(message.array());
        Arrays.fill(message.array(), (byte) 0);
        return digest;
    }

    /** Whether the digest is among the last digests of the pair. */
    boolean has(BucketKey pair, BucketKey digest) {
        BucketKey[] kept = last.getIfPresent(pair);
        return kept != null && indexOf(kept, digest) < kept.length;
    }

    /** Makes the digest the newest of the pair. Returns true if the digest was already among the last digests. */
    boolean remember(BucketKey pair, BucketKey digest) {
        AtomicBoolean repeated = new AtomicBoolean();
        last.asMap().compute(pair, (any, kept) -> {
            BucketKey[] before = kept == null ? new BucketKey[0] : kept;
            int index = indexOf(before, digest);
            repeated.set(index < before.length);
            BucketKey[] after =
                    Arrays.copyOf(before, repeated.get() ? before.length : Math.min(PER_PAIR, before.length + 1));
            System.arraycopy(before, 0, after, 1, Math.min(index, after.length - 1));
            after[0] = digest;
            return after;
        });
        return repeated.get();
    }

    private static int indexOf(BucketKey[] kept, BucketKey digest) {
        int index = kept.length;
        for (int i = kept.length - 1; i >= 0; i--) {
            long difference = (kept[i].high() ^ digest.high()) | (kept[i].low() ^ digest.low());
            index = difference == 0 ? i : index;
        }
        return index;
    }

    long size() {
        last.cleanUp();
        return last.estimatedSize();
    }
}
