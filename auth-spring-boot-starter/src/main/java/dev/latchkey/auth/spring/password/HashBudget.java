package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.Sha256;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketTake;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.bucket.LocalBucketStore;
import dev.latchkey.auth.guard.source.ClientSource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The number of hashes of right passwords for one account from one source. A right password is in the cache after its first hash,
 * so a client needs few hashes. But BCrypt accepts any number of texts for the same password, because BCrypt repeats short texts
 * and cuts long texts. The cache does not know these texts.
 *
 * <p>A wrong password costs nothing here, because the login limits bound the number of wrong passwords. So a caller without the
 * password cannot use the budget up. An unknown name, without a budget, is rejected no later than an account. A running hash
 * holds no token: parallel logins may exceed the budget by the number of parallel hashes. Safe for use by any number of threads.
 */
final class HashBudget {

    private static final BucketPolicy POLICY =
            BucketPolicy.of("hashes-of-account", LimitWindow.of(60, Duration.ofMinutes(1)));

    private final LocalBucketStore buckets;

    HashBudget(GuardTime time) {
        this.buckets = LocalBucketStore.create(time);
    }

    /**
     * The result of the hash. A right password takes a token from the budget.
     *
     * @throws AuthUnavailableException if the budget is empty, without a hash; or as the hash does
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
        String both = source.network() + '\0' + storedHash;
        ByteBuffer key = ByteBuffer.wrap(Sha256.of(both.getBytes(StandardCharsets.UTF_8)));
        return new BucketKey(key.getLong(), key.getLong());
    }
}
