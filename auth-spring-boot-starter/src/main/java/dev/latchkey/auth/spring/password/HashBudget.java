package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketTake;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.bucket.LocalBucketStore;
import dev.latchkey.auth.guard.source.ClientSource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * How many hashes of right passwords one account may cost from one source. A right password is in the cache after its first hash, so nobody needs
 * many. But BCrypt takes any number of texts for one password (it repeats what is short, and cuts what is long), and the cache has never seen these.
 *
 * <p>A wrong password costs nothing here, since the login limits bound how many are compared. So a caller who lacks the password cannot use the
 * budget up, and a name that no account has, which has no budget, is refused no later than an account. A hash in progress holds no token either:
 * parallel logins may exceed the budget by as many hashes as are computed at a time. Safe for use by any number of threads.
 */
final class HashBudget {

    private static final BucketPolicy POLICY =
            BucketPolicy.of("hashes-of-account", LimitWindow.of(60, Duration.ofMinutes(1)));

    private final LocalBucketStore buckets;

    HashBudget(GuardTime time) {
        this.buckets = LocalBucketStore.create(time);
    }

    /**
     * What the hash answers. The budget pays for it if the password is right.
     *
     * @throws AuthUnavailableException if the budget is used up, and no hash was computed; or as the hash does
     */
    boolean spend(String storedHash, ClientSource source, BooleanSupplier hash) {
        BucketKey key = keyOf(storedHash, source);
        requireToken(key);
        boolean right = hash.getAsBoolean();
        if (right) {
            var unused = buckets.take(POLICY, key);
        }
        return right;
    }

    private void requireToken(BucketKey key) {
        BucketTake take = buckets.take(POLICY, key).toCompletableFuture().join();
        if (!take.taken()) {
            throw AuthUnavailableException.throttled("One account costs too many hashes", take.retryAfter());
        }
        var unused = buckets.giveBack(POLICY, key, 1);
    }

    private static BucketKey keyOf(String storedHash, ClientSource source) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(source.network().getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            ByteBuffer key = ByteBuffer.wrap(digest.digest(storedHash.getBytes(StandardCharsets.UTF_8)));
            return new BucketKey(key.getLong(), key.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JDK has no SHA-256, which every JDK must have", e);
        }
    }
}
