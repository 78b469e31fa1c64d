package dev.latchkey.auth.test;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.login.LoginLimits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.HotSwappableTargetSource;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Clears the state of the previous test.
 *
 * <p>Limits are not emptied. Instead, the time of the limits skips enough time for each limit to recover, and for each
 * known client to be forgotten. So the limits need no method for a reset, and a service cannot misuse such a method.
 * Cached roles, API keys and accounts expire in the same skip.
 *
 * <p>The credential cache is emptied. An entry of a login source is valid by the machine's time, even if the test has
 * changed the account.
 */
final class FreshState {

    /**
     * Longer than the memory for a known client, 30 days. A fixed year would suffice for each limit of a service. But the
     * buckets compare times only within 292 years, and a context may have more tests than that.
     */
    private static final Duration LONG_ENOUGH = Duration.ofDays(33);

    private final TestClock clock;
    private final ObjectProvider<TestGuardTime> time;
    private final ObjectProvider<LoginLimits> limits;
    private final ObjectProvider<CredentialCache> caches;
    private final List<Runnable> stores = new CopyOnWriteArrayList<>();

    FreshState(
            TestClock clock,
            ObjectProvider<TestGuardTime> time,
            ObjectProvider<LoginLimits> limits,
            ObjectProvider<CredentialCache> caches) {
        this.clock = clock;
        this.time = time;
        this.limits = limits;
        this.caches = caches;
    }

    /**
     * A store that is empty for each test. The store itself has no such method: a service must not clear revocations.
     */
    <T> T store(Class<T> type, Supplier<? extends T> empty) {
        HotSwappableTargetSource present = new HotSwappableTargetSource(empty.get());
        stores.add(() -> {
            Object unused = present.swap(empty.get());
        });
        return ProxyFactory.getProxy(type, present);
    }

    void begin() {
        clock.reset();
        time.ifAvailable(skipped -> skipped.skip(longEnough()));
        stores.forEach(Runnable::run);
        caches.stream().forEach(CredentialCache::evictAll);
    }

    private Duration longEnough() {
        return limits.stream()
                .flatMap(each -> each.settings().policies().values().stream())
                .map(BucketPolicy::fullAgainAfter)
                .reduce(LONG_ENOUGH, (one, other) -> one.compareTo(other) < 0 ? other : one);
    }
}
