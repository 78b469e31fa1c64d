package dev.latchkey.auth.spring.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class RedisUserTest {

    /** Lettuce starts its threads from the asking thread, and they live on. */
    @Test
    void tenantOfTheStartingThread_isNotSeenByTheQuestion() {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        tenant.set("first");
        List<String> seen = new CopyOnWriteArrayList<>();
        try {
            RedisUser.requireRights(() -> {
                seen.add(String.valueOf(tenant.get()));
                return List.of();
            });
        } finally {
            tenant.remove();
        }
        assertThat(seen).containsExactly("null");
    }
}
