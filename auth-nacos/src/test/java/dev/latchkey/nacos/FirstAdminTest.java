package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.nacos.plugin.auth.impl.persistence.User;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class FirstAdminTest {

    private final FakeUsers users = new FakeUsers();
    private final FakeRoles roles = new FakeRoles();
    private final FirstAdmin first = new FirstAdmin(users, roles);

    @Test
    void first_isMadeOnce() {
        assertThat(first.create("chosen").map(User::getPassword)).contains("chosen");
        assertThat(first.create("another")).isEmpty();
        assertThat(users.table).containsEntry("nacos", "stored:chosen");
        assertThat(roles.administrators).containsExactly("nacos");
    }

    @Test
    void firstWithoutAPassword_getsOneByChance() {
        String password = first.create(" ").orElseThrow().getPassword();

        assertThat(password).hasSizeGreaterThanOrEqualTo(8);
        assertThat(users.table).containsEntry("nacos", "stored:" + password);
    }

    @Test
    void userWithoutTheRole_whereTheServerEndedInBetween_getsBoth() {
        users.with("nacos", "stored:lost");

        assertThat(first.create("chosen")).isPresent();
        assertThat(users.table).containsEntry("nacos", "stored:chosen");
        assertThat(roles.administrators).containsExactly("nacos");
    }

    @Test
    void simultaneousRequests_makeOneFirstAdministrator() throws InterruptedException {
        AtomicInteger made = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        for (int i = 0; i < 64; i++) {
            threads.execute(() -> first.create("chosen").ifPresent(user -> made.incrementAndGet()));
        }
        threads.shutdown();

        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(made).hasValue(1);
    }
}
