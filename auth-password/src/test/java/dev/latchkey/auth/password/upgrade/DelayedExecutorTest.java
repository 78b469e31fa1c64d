package dev.latchkey.auth.password.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DelayedExecutorTest {

    /** The thread lives on: it would keep the first tenant for the upgrades of all others. */
    @Test
    void tenantOfTheFirstLogin_isNotSeenByUpgrades() throws Exception {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        tenant.set("first");
        List<String> seen = new ArrayList<>();
        CountDownLatch over = new CountDownLatch(1);
        try (DelayedExecutor executor = DelayedExecutor.onOwnThread()) {
            executor.after(Duration.ZERO, () -> {
                seen.add(String.valueOf(tenant.get()));
                over.countDown();
            });
            assertThat(over.await(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            tenant.remove();
        }
        assertThat(seen).containsExactly("null");
    }
}
