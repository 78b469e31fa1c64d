package dev.latchkey.auth.guard;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.throttle.Throttle;

/** Breaks rules on purpose: uses a sibling, the starter and throttles, starts a thread, and sleeps. */
public final class BadGuard {

    final Class<?> sibling = CachingPasswordEncoder.class;
    final Class<?> throttle = Throttle.class;
    final Class<?> starter = LatchkeyAutoConfiguration.class;

    void inherit() {
        new Thread(() -> {}).start();
    }

    void slowDown() throws InterruptedException {
        Thread.sleep(1);
    }
}
