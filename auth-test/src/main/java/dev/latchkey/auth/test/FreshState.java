package dev.latchkey.auth.test;

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
 * The credential cache keeps its entries: an entry is valid only for one stored hash, and a new hash in each test would
 * only cost time.
 */
final class FreshState {

    /** Longer than the longest memory, 30 days for a known client. */
    private static final Duration LONG_ENOUGH = Duration.ofDays(33);

    private final TestClock clock;
    private final ObjectProvider<TestGuardTime> time;
    private final List<Runnable> stores = new CopyOnWriteArrayList<>();

    FreshState(TestClock clock, ObjectProvider<TestGuardTime> time) {
        this.clock = clock;
        this.time = time;
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
        time.ifAvailable(skipped -> skipped.skip(LONG_ENOUGH));
        stores.forEach(Runnable::run);
    }
}
