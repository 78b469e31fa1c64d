package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.context.ApplicationContext;

/** An operator sees which plugin holds how many calls, and how many it refused. */
class BulkheadsTest {

    private static final Credentials ANN = new PasswordCredentials("ann", Secret.of("any"));

    @Test
    void pluginThatHangs_isSeenInMetersAndHealth() {
        Actuators.web()
                .withPropertyValues("latchkey.plugins=directory", "latchkey.plugin.directory.max-concurrent=1")
                .withBean(Directory.class, Directory::new)
                .run(context -> {
                    assertSeen(context, 0, 0);
                    hangWhile(context, () -> {
                        assertThatThrownBy(
                                        () -> context.getBean(AuthChain.class).authenticate(ANN))
                                .isInstanceOf(AuthUnavailableException.class);
                        assertSeen(context, 1, 1);
                    });
                    assertSeen(context, 0, 1);
                });
    }

    @Test
    void pluginThatWaitsForNobody_hasNoBulkheadToSee() {
        Actuators.web().withPropertyValues("latchkey.plugins=users").run(context -> {
            assertThat(health(context).getDetails()).doesNotContainKey("plugins");
            assertThat(context.getBean(MeterRegistry.class)
                            .find("latchkey.plugin.running")
                            .meters())
                    .isEmpty();
        });
    }

    private static void assertSeen(ApplicationContext context, int running, int refused) {
        MeterRegistry meters = context.getBean(MeterRegistry.class);
        assertThat(meters.get("latchkey.plugin.running")
                        .tag("plugin", "directory")
                        .gauge()
                        .value())
                .isEqualTo(running);
        assertThat(meters.get("latchkey.plugin.running.max")
                        .tag("plugin", "directory")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(meters.get("latchkey.plugin.refused")
                        .tag("plugin", "directory")
                        .functionCounter()
                        .count())
                .isEqualTo(refused);
        assertThat(health(context).getStatus()).isEqualTo(Status.UP);
        assertThat(health(context).getDetails())
                .containsEntry("plugins", Map.of("directory", Map.of("running", running, "most", 1, "refused", (long)
                        refused)));
    }

    private static Health health(ApplicationContext context) {
        return context.getBean("latchkeyHealthIndicator", HealthIndicator.class).health();
    }

    private static void hangWhile(ApplicationContext context, Runnable meanwhile) throws Exception {
        Directory directory = context.getBean(Directory.class);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        CompletableFuture<?> call = CompletableFuture.supplyAsync(
                () -> context.getBean(AuthChain.class).authenticate(ANN), thread);
        directory.asked.await();
        meanwhile.run();
        directory.answer.countDown();
        call.join();
        thread.shutdown();
    }

    static final class Directory implements LoginSource<Credentials> {

        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch answer = new CountDownLatch(1);

        @Override
        public String name() {
            return "directory";
        }

        @Override
        public Class<Credentials> kind() {

            return Credentials.class;
        }

        @Override
        public Decision authenticate(Credentials credentials, RequestContext context) {
            asked.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Decision.abstained();
        }
    }
}
