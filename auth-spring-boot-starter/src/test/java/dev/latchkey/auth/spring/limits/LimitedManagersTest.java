package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.login.LoginAttempt;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.spring.RecordingEncoder;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.endpoint.Accounts;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.http.StepsAsked;
import dev.latchkey.auth.spring.login.LoginParts;
import dev.latchkey.auth.spring.password.ComparedPassword.Unseen;
import dev.latchkey.auth.spring.password.LoginEncoder;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import dev.latchkey.auth.spring.plugin.ReactiveLatchkeyPasswords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.DelegatingReactiveAuthenticationManager;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Answers of limited managers, the attempts that the limits count, and logins within logins. */
class LimitedManagersTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Authentication GIVEN = UsernamePasswordAuthenticationToken.unauthenticated("ann", "right");
    private static final Authentication LOGIN =
            UsernamePasswordAuthenticationToken.authenticated("ann", null, List.of());

    private final GuardTime time = GuardTime.start();
    private final List<GuardEvent> events = new CopyOnWriteArrayList<>();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, events::add);
    private final LoginLimitGate logins = new LoginLimitGate(
            limits, WaitingThreads.atMost(1), () -> ClientSource.of("192.0.2.1").orElseThrow());

    @AfterEach
    void stop() {
        time.close();
    }

    private PasswordLogins limited(AuthenticationManager manager) {
        return new PasswordLogins(
                manager,
                logins,
                ManagersByClassTest.noSteps(),
                SecurityContextHolder::getContextHolderStrategy,
                given -> Unseen.NONE);
    }

    private List<AttemptResult> settled() {
        return events.stream()
                .filter(GuardEvent.LoginSettled.class::isInstance)
                .map(event -> ((GuardEvent.LoginSettled) event).result())
                .toList();
    }

    @Test
    void answer_isCountedAsWhatItSays_onBothStacks() {
        for (Authentication answer : new Authentication[] {LOGIN, null, GIVEN}) {
            assertThat(limited(given -> answer).authenticate(GIVEN)).isSameAs(answer);
            assertThat(new ReactiveLimitedPasswords(
                                    given -> Mono.justOrEmpty(answer), limits, Integer.MAX_VALUE, Unseen.NONE)
                            .authenticate(GIVEN)
                            .block(LONG))
                    .isSameAs(answer);
        }
        assertThat(settled())
                .containsExactly(
                        AttemptResult.SUCCEEDED,
                        AttemptResult.SUCCEEDED,
                        AttemptResult.FAILED,
                        AttemptResult.FAILED,
                        AttemptResult.FAILED,
                        AttemptResult.FAILED);
    }

    /** A controller may read a missing answer as a rejection. */
    @Test
    void managerWithoutAnAnswer_isAskedAboutFivePasswords_onBothStacks() {
        List<Object> asked = new ArrayList<>();
        AuthenticationManager servlets = limited(given -> {
            asked.add(given.getCredentials());
            return null;
        });
        ReactiveAuthenticationManager webFlux = new ReactiveLimitedPasswords(
                given -> Mono.fromRunnable(() -> asked.add(given.getCredentials())),
                limits,
                Integer.MAX_VALUE,
                Unseen.NONE);
        for (int i = 0; i < 30; i++) {
            Authentication ann = UsernamePasswordAuthenticationToken.unauthenticated("ann", "wrong" + i);
            Authentication ben = UsernamePasswordAuthenticationToken.unauthenticated("ben", "wrong" + i);
            if (i < 5) {
                assertThat(servlets.authenticate(ann)).isNull();
                assertThat(login(webFlux, ben)).isNull();
            } else {
                assertThatThrownBy(() -> servlets.authenticate(ann)).isInstanceOf(AuthUnavailableException.class);
                assertThatThrownBy(() -> login(webFlux, ben)).isInstanceOf(AuthUnavailableException.class);
            }
        }
        assertThat(asked).hasSize(10);
    }

    /** A manager of a filter that is no bean may ask two beans, one after the other. */
    @Test
    void accountOfTheSecondOfTwoManagers_isNotLimitedByTheFirst() {
        ReactiveAuthenticationManager first =
                new ReactiveLimitedPasswords(given -> Mono.empty(), limits, Integer.MAX_VALUE, Unseen.NONE);
        ReactiveAuthenticationManager second =
                new ReactiveLimitedPasswords(given -> Mono.just(LOGIN), limits, Integer.MAX_VALUE, Unseen.NONE);
        ReactiveAuthenticationManager both = new DelegatingReactiveAuthenticationManager(first, second);
        for (int i = 0; i < 30; i++) {
            assertThat(login(both, GIVEN)).isSameAs(LOGIN);
        }
    }

    private static Authentication login(ReactiveAuthenticationManager manager, Authentication given) {
        return manager.authenticate(given)
                .contextWrite(context -> context.put(
                        CurrentLogin.class,
                        CurrentRequest.from(
                                () -> ClientSource.of("192.0.2.9").orElseThrow(), ReactiveSource.in(context))))
                .block(LONG);
    }

    @Test
    void managerWithinAManager_isPartOfItsLogin() {
        AuthenticationManager inner = limited(given -> LOGIN);
        assertThat(limited(inner).authenticate(GIVEN)).isSameAs(LOGIN);
        assertThat(settled()).containsExactly(AttemptResult.SUCCEEDED);
        ReactiveAuthenticationManager innermost =
                new ReactiveLimitedPasswords(given -> Mono.just(LOGIN), limits, Integer.MAX_VALUE, Unseen.NONE);
        assertThat(new ReactiveLimitedPasswords(innermost, limits, Integer.MAX_VALUE, Unseen.NONE)
                        .authenticate(GIVEN)
                        .block(LONG))
                .isSameAs(LOGIN);
        assertThat(settled()).hasSize(2);
    }

    @Test
    void loginOfTheThread_isOverAfterwards() {
        CurrentLogin before = CurrentLogin.here();
        limited(given -> LOGIN).authenticate(GIVEN);
        assertThat(CurrentLogin.here()).isSameAs(before);
    }

    @Test
    void credentialsBesidesPasswords_areNotLimited() {
        Authentication other = new TestingAuthenticationToken("ann", "x");
        assertThat(limited(given -> LOGIN).authenticate(other)).isSameAs(LOGIN);
        assertThat(new ReactiveLimitedPasswords(given -> Mono.just(LOGIN), limits, Integer.MAX_VALUE, Unseen.NONE)
                        .authenticate(other)
                        .block(LONG))
                .isSameAs(LOGIN);
        assertThat(settled()).isEmpty();
    }

    @Test
    void password_isTextOrNothing() {
        assertThat(PasswordLogins.passwordOf(GIVEN)).isEqualTo("right");
        assertThat(PasswordLogins.passwordOf(new TestingAuthenticationToken("ann", 7)))
                .isNull();
    }

    @Test
    void knownClient_needsNoTokenOfABucket_andItsLoginIsSettledToo() {
        ReactiveLimitedPasswords manager =
                new ReactiveLimitedPasswords(given -> Mono.just(LOGIN), limits, Integer.MAX_VALUE, Unseen.NONE);
        for (int i = 0; i < 3; i++) {
            assertThat(manager.authenticate(GIVEN)
                            .contextWrite(context -> context.put(
                                    CurrentLogin.class,
                                    CurrentRequest.from(
                                            () -> ClientSource.of("192.0.2.9").orElseThrow(),
                                            ReactiveSource.in(context))))
                            .block(LONG))
                    .isSameAs(LOGIN);
        }
        assertThat(settled())
                .containsExactly(AttemptResult.SUCCEEDED, AttemptResult.SUCCEEDED, AttemptResult.SUCCEEDED);
    }

    /** A client that goes away must not get tries for free. */
    @Test
    void cancelledLogin_isAFailedOne() {
        Disposable login = new ReactiveLimitedPasswords(given -> Mono.never(), limits, Integer.MAX_VALUE, Unseen.NONE)
                .authenticate(GIVEN)
                .subscribe();
        login.dispose();
        assertThat(settled()).containsExactly(AttemptResult.FAILED);
    }

    @Test
    void loginsAtOnce_areBounded_andOneThatEndsMakesRoom() {
        List<Integer> asked = new ArrayList<>();
        ReactiveLimitedPasswords manager = new ReactiveLimitedPasswords(
                given -> {
                    asked.add(asked.size());
                    return asked.size() == 1 ? Mono.never() : Mono.just(LOGIN);
                },
                limits,
                1,
                Unseen.NONE);
        Disposable first = manager.authenticate(GIVEN).subscribe();
        assertThatThrownBy(() -> manager.authenticate(GIVEN).block(LONG))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(AuthUnavailableException.Kind.OVERLOAD));
        assertThat(asked).hasSize(1);
        assertThat(settled()).containsExactly(AttemptResult.NOT_ATTEMPTED);
        first.dispose();
        assertThat(manager.authenticate(GIVEN).block(LONG)).isSameAs(LOGIN);
        assertThat(manager.authenticate(GIVEN).block(LONG)).isSameAs(LOGIN);
    }

    /** The answer of a store across a network may come after the client has gone. */
    @Test
    void admissionAfterTheEnd_isNoTry() {
        ReactiveAttempt attempt = new ReactiveAttempt("right");
        attempt.end(AttemptResult.FAILED);
        attempt.answered(limits.reserve(
                        new LoginAttempt("ann", ClientSource.of("192.0.2.1").orElseThrow()), "right")
                .join());
        assertThat(settled()).containsExactly(AttemptResult.NOT_ATTEMPTED);
    }

    /** After a late admission, the login may wait for a thread before the manager decides. */
    @Test
    void clientThatLeavesBeforeTheManagerIsAsked_hasTriedNothing() {
        ReactiveAttempt attempt = new ReactiveAttempt("right");
        attempt.answered(limits.reserve(
                        new LoginAttempt("ann", ClientSource.of("192.0.2.1").orElseThrow()), "right")
                .join());
        attempt.left();
        assertThat(settled()).containsExactly(AttemptResult.NOT_ATTEMPTED);
    }

    /** The limits are a gate of the chain too. */
    @Test
    void loginThatThePluginsDecide_isCountedOnce_onWebFlux() {
        AuthChain plugins = AuthChain.of(new Accounts()).withGate(logins);
        Authentication given = UsernamePasswordAuthenticationToken.unauthenticated("alice", Services.PASSWORD);
        try (ReactiveWork work = new ReactiveWork()) {
            ReactiveAuthenticationManager manager = new ReactiveLatchkeyPasswords(
                            plugins, work, LoginParts.propertiesOf(), logins, new DefaultListableBeanFactory())
                    .manager();
            ReactiveAuthenticationManager limited =
                    new ReactiveLimitedPasswords(manager, limits, Integer.MAX_VALUE, Unseen.NONE);
            assertThat(limited.authenticate(given).map(Authentication::getName).block(LONG))
                    .isEqualTo("alice");
            assertThat(settled()).containsExactly(AttemptResult.SUCCEEDED);
            assertThat(manager.authenticate(given).map(Authentication::getName).block(LONG))
                    .isEqualTo("alice");
            assertThat(settled()).containsExactly(AttemptResult.SUCCEEDED, AttemptResult.SUCCEEDED);
        }
    }

    /** The time of the answer must not tell that the password of a locked account is right. */
    @Test
    void refusedAccount_costsAHash_howeverOftenItsPasswordIsRight() {
        RecordingEncoder hashes = new RecordingEncoder(() -> 0);
        try (CredentialCache cache =
                CredentialCache.with(CredentialCacheSettings.defaults().withFastLoad(Duration.ZERO))) {
            LoginEncoder encoder = TestLoginEncoders.around(hashes, cache, null, null);
            AuthenticationManager manager = limited(given -> {
                assertThat(encoder.matches("right", "right")).isTrue();
                throw new LockedException("locked");
            });
            for (int i = 1; i <= 3; i++) {
                assertThatThrownBy(() -> manager.authenticate(GIVEN)).isInstanceOf(LockedException.class);
                assertThat(hashes.calls).hasSize(i);
            }
        }
    }

    /** The chain has asked for the steps of a login that it decided itself. */
    @Test
    void loginOfTheChain_isAskedOnce_onWebFlux() {
        StepOfAlice step = new StepOfAlice();
        StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("plugins", AuthChain.of(List.of(step))));
        MissingSteps steps = new MissingSteps(beans.getBeanProvider(AuthChain.class));
        Authentication alice = UsernamePasswordAuthenticationToken.authenticated("alice", null, List.of());
        try (ReactiveWork work = new ReactiveWork()) {
            ReactiveAuthenticationManager manager = new ReactiveCompletePasswords(
                    given -> Mono.deferContextual(context -> {
                        StepsAsked asked = StepsAsked.in(ReactiveSource.in(context));
                        if (asked != null) {
                            asked.ofChain("alice");
                        }
                        return Mono.just(alice);
                    }),
                    steps,
                    () -> work);
            assertThat(manager.authenticate(GIVEN).block(LONG)).isSameAs(alice);
        }
        assertThat(step.asked).isEmpty();
    }
}
