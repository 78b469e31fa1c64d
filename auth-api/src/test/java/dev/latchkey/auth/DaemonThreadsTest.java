package dev.latchkey.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DaemonThreadsTest {

    @Test
    void thread_isADaemonOfThisName() {
        Thread thread =
                DaemonThreads.of(DaemonThreadsTest.class, "latchkey-test").newThread(() -> {});
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("latchkey-test");
    }

    @Test
    void threadLocalsOfTheCreator_areNotInherited() throws Exception {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        tenant.set("first");
        List<String> seen = new ArrayList<>();
        try {
            Thread thread = DaemonThreads.of(DaemonThreadsTest.class, "latchkey-test")
                    .newThread(() -> seen.add(String.valueOf(tenant.get())));
            thread.start();
            thread.join();
        } finally {
            tenant.remove();
        }
        assertThat(seen).containsExactly("null");
    }

    @Test
    void contextClassLoader_isTheOwners() {
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        current.setContextClassLoader(new ClassLoader(null) {});
        try {
            Thread thread =
                    DaemonThreads.of(DaemonThreadsTest.class, "latchkey-test").newThread(() -> {});
            assertThat(thread.getContextClassLoader()).isSameAs(DaemonThreadsTest.class.getClassLoader());
        } finally {
            current.setContextClassLoader(before);
        }
    }
}
