package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.LocalBucketStore;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** 50,000 names from 1,000 sources at 100 attempts a second, on a clock of its own. */
@Tag("long")
class PasswordSprayingTest {

    private static final int NAMES = 50_000;
    private static final int SOURCES = 1_000;
    private static final int ATTEMPTS = 60_000;
    private static final int MAX_BUCKETS = 10_000;
    private static final int MAX_REMEMBERED = 400;

    private final ManualTime time = new ManualTime();
    private final LocalBucketStore store = LocalBucketStore.create(time, MAX_BUCKETS);
    private final LoginLimits limits = LoginLimits.local(
            LoginLimitSettings.defaults()
                    .withMemory(new LoginLimitSettings.Memory(Duration.ofDays(30), MAX_REMEMBERED)),
            store,
            time,
            GuardListener.NONE);

    private boolean attempt(String account, ClientSource source, AttemptResult result) {
        Admission admission =
                limits.reserve(new LoginAttempt(account, source), null).join();
        if (admission instanceof Admission.Admitted admitted) {
            admitted.reservation().settle(result, null);
            return true;
        }
        return false;
    }

    private static ClientSource source(int n) {
        return ClientSource.of("10.0." + n / 256 + "." + n % 256).orElseThrow();
    }

    @Tag("many-times")
    @Test
    void memoryStaysBounded_andRealUsersGetInFromFreshSources() {
        Random random = new Random(5);
        for (int i = 0; i < ATTEMPTS; i++) {
            attempt("name" + random.nextInt(NAMES), source(random.nextInt(SOURCES)), AttemptResult.FAILED);
            time.jump(Duration.ofMillis(10));
            if (i % 1_000 == 0) {
                ClientSource fresh = ClientSource.of("203.0.113." + i / 1_000).orElseThrow();
                assertThat(attempt("name" + i % NAMES, fresh, AttemptResult.SUCCEEDED))
                        .isTrue();
            }
        }
        // Three kinds of buckets are in use while no account has a hundred failures: source, pair, account.
        assertThat(store.size()).isLessThanOrEqualTo(3L * MAX_BUCKETS);
        // Known clients, sources, accounts and failed pairs.
        assertThat(limits.stats().remembered()).isLessThanOrEqualTo(4L * MAX_REMEMBERED);
        assertThat(limits.stats().contended()).isZero();
    }

    @Tag("many-times")
    @Test
    void sprayFromFewSources_isHeldToTheFailuresOfEachSource_forAnyNumberOfNames() {
        int sources = 10;
        int admitted = 0;
        for (int i = 0; i < 30_000; i++) {
            admitted += attempt("name" + i, source(i % sources), AttemptResult.FAILED) ? 1 : 0;
            time.jump(Duration.ofMillis(50));
        }
        // 25 minutes: each source has its 50 failures, and 10 for each minute.
        assertThat(admitted).isBetween(sources * 299, sources * 300);
    }

    @Tag("many-times")
    @Test
    void patientSpray_isHeldToTheLongWindowOfItsSource() {
        int admitted = 0;
        for (int i = 0; i < 48 * 360; i++) {
            admitted += attempt("name" + i, source(1), AttemptResult.FAILED) ? 1 : 0;
            time.jump(Duration.ofSeconds(10));
        }
        // In 48 hours: the bucket of 1,500, and its refill.
        assertThat(admitted).isBetween(2_999, 3_000);
    }

    @Tag("many-times")
    @Test
    void wrongPasswordsOfManyAccounts_areBoundedToo() {
        int mostPairs = 10_000;
        for (int i = 0; i < mostPairs + 2_000; i++) {
            Reservation login = limits.reserve(new LoginAttempt("name" + i, source(i)), "wrong")
                    .join()
                    .orThrow();
            login.settle(AttemptResult.FAILED, "wrong");
        }
        assertThat(limits.stats().remembered()).isBetween((long) mostPairs, mostPairs + 4L * MAX_REMEMBERED);
    }
}
