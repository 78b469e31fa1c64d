package dev.latchkey.auth.guard;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;

/** Breaks rules, to show that they can fail: sees a sibling and the starter, and sleeps. */
public final class BadGuard {

    final Class<?> sibling = CachingPasswordEncoder.class;
    final Class<?> starter = LatchkeyAutoConfiguration.class;

    void slowDown() throws InterruptedException {
        Thread.sleep(1);
    }
}
