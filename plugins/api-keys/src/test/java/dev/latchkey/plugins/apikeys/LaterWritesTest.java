package dev.latchkey.plugins.apikeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class LaterWritesTest {

    @Test
    void tenantOfTheFirstRequest_isNotSeenByWrites() {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        tenant.set("first");
        List<String> seen = new CopyOnWriteArrayList<>();
        try (LaterWrites writes = new LaterWrites()) {
            writes.add(() -> seen.add(String.valueOf(tenant.get())));
        } finally {
            tenant.remove();
        }
        assertThat(seen).containsExactly("null");
    }
}
