package dev.latchkey.auth.spring.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthEvent;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.spring.Actuators;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;

class LatchkeyHealthTest {

    private static final AuthEvent OUTAGE = unavailable(AuthUnavailableException.Kind.OUTAGE);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant now = START;
    private final Outages outages = new Outages(() -> now);

    @Test
    void serviceWithNothingWrong_isUp() {
        assertThat(report().code()).isEqualTo(HealthReport.UP);
    }

    @Test
    void storeThatDidNotAnswer_isDown_untilItDecidesAgain() {
        outages.on(OUTAGE);
        assertThat(report().code()).isEqualTo(HealthReport.DOWN);
        assertThat(report().details()).containsEntry("down", List.of("ldap"));
        outages.on(new AuthEvent.Decided(
                "ldap", PasswordCredentials.class, "alice", Authenticated.as(Subject.of("alice")), Duration.ZERO));
        assertThat(report().code()).isEqualTo(HealthReport.UP);
    }

    @Test
    void storeOfPermissionsThatDidNotAnswer_isDown_untilItDecidesAgain() {
        Subject alice = Subject.of("alice");
        Permission read = new Permission("orders", "read");
        outages.on(new AuthEvent.AccessUnavailable("acl", alice, read, AuthUnavailableException.Kind.OVERLOAD));
        assertThat(report().code()).isEqualTo(HealthReport.UP);
        outages.on(new AuthEvent.AccessUnavailable("acl", alice, read, AuthUnavailableException.Kind.OUTAGE));
        assertThat(report().details()).containsEntry("down", List.of("acl"));
        outages.on(new AuthEvent.AccessDecided("acl", alice, read, false));
        assertThat(report().code()).isEqualTo(HealthReport.UP);
    }

    @Test
    void outage_isForgottenWhenNobodyAskedForAWhile() {
        outages.on(OUTAGE);
        now = START.plus(Outages.REMEMBERED);
        assertThat(report().code()).isEqualTo(HealthReport.DOWN);
        now = now.plusNanos(1);
        assertThat(report().code()).isEqualTo(HealthReport.UP);
    }

    @Test
    void overloadAndThrottling_areNoOutage() {
        outages.on(unavailable(AuthUnavailableException.Kind.OVERLOAD));
        outages.on(unavailable(AuthUnavailableException.Kind.THROTTLED));
        assertThat(report().code()).isEqualTo(HealthReport.UP);
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
                    () -> {
                        begun.countDown();
                        end.await();
                        return "hashed";
                    },
                    hash -> new Thread(hash, "hash").start());
            begun.await();
            assertThat(HealthReport.of(List.of(permits), List.of(), List.of(), outages)
                            .code())
                    .isEqualTo(HealthReport.UP);
            assertThatThrownBy(() -> permits.call(0, () -> "hashed")).isInstanceOf(AuthUnavailableException.class);
            assertThat(HealthReport.of(List.of(permits), List.of(), List.of(), outages)
                            .code())
                    .isEqualTo(HealthReport.SATURATED);
            end.countDown();
            running.join();
            assertThat(HealthReport.of(List.of(permits), List.of(), List.of(), outages)
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
        Actuators.web().run(context -> {
            context.getBean(Outages.class).on(OUTAGE);
            assertThat(context.getBean("latchkeyHealthIndicator", HealthIndicator.class)
                            .health()
                            .getStatus())
                    .isEqualTo(Status.DOWN);
        });
        Actuators.web()
                .withPropertyValues("management.health.latchkey.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("latchkeyHealthIndicator"));
    }

    private HealthReport report() {
        return HealthReport.of(List.of(), List.of(), List.of(), outages);
    }

    private static AuthEvent unavailable(AuthUnavailableException.Kind kind) {
        return new AuthEvent.Unavailable("ldap", PasswordCredentials.class, "alice", kind, Duration.ZERO);
    }
}
