package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Callers that no cache entry may answer: a right and a wrong password take the same way. */
class RecallTest {

    private final TestTime time = new TestTime();
    private final CredentialCache cache = time.cache();
    private final FakeEncoder fake = new FakeEncoder(time);
    private final CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);
    private final String hash = fake.encode("right");

    @Test
    void passwordThatIsCheckedAnew_costsAHash_rightOrWrong() {
        encoder.matches("right", hash);
        assertThat(encoder.matchesAnew("right", hash)).isTrue();
        assertThat(encoder.matchesAnew("wrong", hash)).isFalse();
        assertThat(fake.checks).hasValue(3);
        assertThat(cache.stats().hits()).isZero();
        assertThat(cache.stats().missesAbsent()).isEqualTo(1);
        assertThat(cache.stats().missesOther()).isEqualTo(2);
    }

    @Test
    void passwordThatIsCheckedAnew_failsAsAWrongOneDoes_whereThereIsNoHash() {
        encoder.matches("right", hash);
        fake.beforeAnswer = (presented, storedHash) -> {
            throw AuthUnavailableException.overload("busy", Duration.ZERO);
        };
        for (String presented : new String[] {"right", "wrong"}) {
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(() -> encoder.matchesAnew(presented, hash));
        }
        assertThat(encoder.matches("right", hash)).isTrue();
    }

    @Test
    void successThatWasCheckedAnew_isRemembered_inPlaceOfTheOneBefore() {
        assertThat(encoder.matchesAnew("right", hash)).isTrue();
        assertThat(encoder.matches("right", hash)).isTrue();
        time.pass(Duration.ofMinutes(8));
        encoder.matchesAnew("right", hash);
        assertThat(cache.stats().size()).isEqualTo(1);
        time.pass(Duration.ofMinutes(8));
        assertThat(encoder.matchesAtOnce("right", hash)).contains(true);
        assertThat(fake.checks).hasValue(2);
    }

    @Test
    void pluginIsAskedAnew_whereNothingMayBeRecalled() {
        FakePlugin remote = new FakePlugin(time);
        AtomicBoolean mayRecall = new AtomicBoolean(true);
        CachingLoginSource plugin = CachingLoginSource.around(remote, cache, Duration.ofMinutes(1))
                .withRecall(mayRecall::get)
                .withClock(time);
        assertThat(login(plugin)).isInstanceOf(Authenticated.class);
        mayRecall.set(false);
        assertThat(login(plugin)).isInstanceOf(Authenticated.class);
        assertThat(remote.asked).hasValue(2);
        mayRecall.set(true);
        assertThat(login(plugin)).isInstanceOf(Authenticated.class);
        assertThat(remote.asked).hasValue(2);
    }

    /** The last of a burst may look whether it may recall just before the first is known to have been right. */
    @Test
    void pluginIsNotAskedAnew_whereAnotherLoginWasRightInBetween() {
        FakePlugin remote = new FakePlugin(time);
        AtomicBoolean wasRight = new AtomicBoolean();
        AtomicReference<Runnable> inBetween = new AtomicReference<>();
        CachingLoginSource plugin = CachingLoginSource.around(remote, cache, Duration.ofMinutes(1))
                .withRecall(() -> {
                    boolean mayRecall = wasRight.get();
                    inBetween.getAndSet(() -> {}).run();
                    return mayRecall;
                });
        inBetween.set(() -> {
            assertThat(login(plugin)).isInstanceOf(Authenticated.class);
            wasRight.set(true);
        });
        assertThat(login(plugin)).isInstanceOf(Authenticated.class);
        assertThat(remote.asked).hasValue(1);
    }

    private static Decision login(CachingLoginSource plugin) {
        return plugin.authenticate(
                new PasswordCredentials("ada", Secret.of(FakePlugin.PASSWORD)), RequestContext.none());
    }
}
