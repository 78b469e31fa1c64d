package dev.latchkey.auth.spring.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.spring.Actuators;
import dev.latchkey.auth.spring.OneAnswer;
import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.context.ApplicationContext;

class LatchkeyHealthTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant now = START;
    private final Outages outages = new Outages(() -> now);

    @Test
    void serviceWithNothingWrong_isUp() {
        assertThat(report().code()).isEqualTo(HealthReport.UP);
    }

    @Test
    void pluginThatDidNotAnswer_isADetail_andTheServiceStaysUp() {
        assertThat(report(Set.of(), "ldap").code()).isEqualTo(HealthReport.UP);
        assertThat(report(Set.of("acl"), "ldap").code()).isEqualTo(HealthReport.UP);
        assertThat(report(Set.of(), "ldap").details()).containsEntry("down", List.of("ldap"));
    }

    @Test
    void outageBesideThatOfARequiredPlugin_isNamedToo() {
        HealthReport report = report(Set.of("ldap"), "acl", "ldap");
        assertThat(report.code()).isEqualTo(HealthReport.DOWN);
        assertThat(report.details()).containsEntry("down", List.of("acl", "ldap"));
    }

    @Test
    void sharedLimitsThatAreLost_areTold_andTheServiceGoesOn() {
        outages.on(new GuardEvent.StoreLost());
        assertThat(report().code()).isEqualTo(HealthReport.UP);
        assertThat(report().details()).containsKey("sharedLimits");
        outages.on(new GuardEvent.StoreFound());
        assertThat(report().details()).isEmpty();
    }

    @Test
    void permitsThatWereRefused_areOutOfService_untilOneIsFree() throws Exception {
        HashingSettings settings = HashingSettings.defaults()
                .withAtOnce(1)
                .withMaxWait(Duration.ofSeconds(30))
                .withFirstEstimate(Duration.ofSeconds(20));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (GuardTime time = GuardTime.start()) {
            HashingPermits permits = new HashingPermits(settings, WaitingThreads.atMost(1), time, outages);
            CompletableFuture<String> running = permits.submit(
                    0,
                    false,
                    () -> {
                        begun.countDown();
                        end.await();
                        return "hashed";
                    },
                    hash -> new Thread(hash, "hash").start());
            begun.await();
            assertThat(HealthReport.of(List.of(permits), List.of(), List.of(), Set.of(), Set.of(), outages)
                            .code())
                    .isEqualTo(HealthReport.UP);
            assertThatThrownBy(() -> permits.call(0, () -> "hashed")).isInstanceOf(AuthUnavailableException.class);
            assertThat(HealthReport.of(List.of(permits), List.of(), List.of(), Set.of(), Set.of(), outages)
                            .code())
                    .isEqualTo(HealthReport.SATURATED);
            end.countDown();
            running.join();
            assertThat(HealthReport.of(List.of(permits), List.of(), List.of(), Set.of(), Set.of(), outages)
                            .code())
                    .isEqualTo(HealthReport.UP);
        }
    }

    @Test
    void refusal_isForgottenAfterAWhile() {
        outages.on(new GuardEvent.HashRefused(Duration.ZERO));
        now = START.plus(Outages.REMEMBERED);
        assertThat(outages.hasRefusedHashes()).isTrue();
        now = now.plusNanos(1);
        assertThat(outages.hasRefusedHashes()).isFalse();
    }

    @Test
    void healthEndpoint_hasIt_unlessItIsSwitchedOff() {
        Actuators.web().withBean("ldapPlugin", AuthPlugin.class, Directory::new).run(context -> {
            fail(context);
            Health health = context.getBean("latchkeyHealthIndicator", HealthIndicator.class)
                    .health();
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsEntry("down", List.of("ldap"));
        });
        Actuators.web()
                .withPropertyValues("management.health.latchkey.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("latchkeyHealthIndicator"));
    }

    @Test
    void serviceWithoutASharedStore_isReady() {
        Actuators.web()
                .run(context -> assertThat(context.getBean("latchkeyReadinessHealthIndicator", HealthIndicator.class)
                                .health()
                                .getStatus())
                        .isEqualTo(Status.UP));
    }

    /** In a later outage, all nodes lose the same store. */
    @Test
    void copyWithoutRoom_isReady_andTheHealthSaysSo() {
        TwoTokens store = new TwoTokens();
        LocalRevocations copy =
                LocalRevocations.of(store, LocalRevocationSettings.defaults().withMaximumSize(1));
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        beans.addBean("copy", copy);
        FirstReading reading = new FirstReading(beans.getBeanProvider(LocalRevocations.class));
        assertThat(reading.isDone()).isFalse();
        assertThat(ageOf(copy)).isEqualTo("never read");
        copy.refresh();
        store.isDown = true;
        assertThatThrownBy(copy::refresh).isInstanceOf(AuthUnavailableException.class);
        assertThat(reading.isDone()).isTrue();
        assertThat(ageOf(copy)).isEqualTo("no room");
    }

    private Object ageOf(LocalRevocations copy) {
        HealthReport report =
                HealthReport.of(List.of(), List.of(), List.of(copy.status()), Set.of(), Set.of(), outages);
        return ((Map<?, ?>) report.details().get("revocations")).get("age");
    }

    @Test
    void requiredPlugin_decidesAboutTheServicesHealth() {
        Actuators.web()
                .withBean("ldapPlugin", AuthPlugin.class, Directory::new)
                .withPropertyValues("latchkey.health.required-plugins=ldap")
                .run(context -> {
                    HealthIndicator indicator = context.getBean("latchkeyHealthIndicator", HealthIndicator.class);
                    assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
                    fail(context);
                    assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
                });
    }

    @Test
    void requiredPluginThatIsNotAsked_stopsTheStart() {
        Actuators.web()
                .withPropertyValues("latchkey.health.required-plugins=ldpa")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessage("latchkey.health.required-plugins names 'ldpa', and no auth plugin of that"
                                + " name is asked; those that are: [users]"));
    }

    private static void fail(ApplicationContext context) {
        AuthChain chain = context.getBean(AuthChain.class);
        assertThatThrownBy(() -> chain.authenticate(new Ticket())).isInstanceOf(AuthUnavailableException.class);
    }

    private static final class TwoTokens extends OneAnswer {

        private boolean isDown;

        @Override
        public Instant notBefore(String subjectId) {
            if (isDown) {
                throw AuthUnavailableException.outage("down");
            }
            return Instant.MIN;
        }

        @Override
        public List<Recorded> recordedAfter(long position, int most) {
            return List.of(
                    new Recorded(1, recordToken("t1", Instant.MAX)), new Recorded(2, recordToken("t2", Instant.MAX)));
        }
    }

    private record Ticket() implements Credentials {}

    private static final class Directory implements LoginSource<Ticket> {

        @Override
        public String name() {
            return "ldap";
        }

        @Override
        public Class<Ticket> kind() {
            return Ticket.class;
        }

        @Override
        public Decision authenticate(Ticket ticket, RequestContext context) {
            throw AuthUnavailableException.outage("The directory does not answer");
        }
    }

    private HealthReport report() {
        return report(Set.of("ldap", "acl"));
    }

    private HealthReport report(Set<String> required, String... down) {
        return HealthReport.of(List.of(), List.of(), List.of(), required, new TreeSet<>(Set.of(down)), outages);
    }
}
