package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.spring.password.ComparedPassword.Unseen;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.InsufficientAuthenticationException;
import org.springframework.security.authentication.InternalAuthenticationServiceException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.ProviderNotFoundException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import reactor.core.publisher.Mono;

/**
 * An exception of a manager is either no decision, without the cost of a guess, or a decision; the same on servlets
 * and on WebFlux.
 */
class PasswordLoginsTest {

    private static final Authentication LOGIN =
            UsernamePasswordAuthenticationToken.unauthenticated("alice", "password");

    private static final Duration LONG = Duration.ofSeconds(20);

    private final GuardTime time = GuardTime.start();
    private final List<GuardEvent> events = new CopyOnWriteArrayList<>();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, events::add);

    @AfterEach
    void close() {
        time.close();
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(AuthUnavailableException.outage("down"), AttemptResult.NOT_ATTEMPTED),
                Arguments.of(new AuthenticationServiceException("down"), AttemptResult.NOT_ATTEMPTED),
                Arguments.of(new InternalAuthenticationServiceException("down"), AttemptResult.NOT_ATTEMPTED),
                Arguments.of(new ProviderNotFoundException("nobody"), AttemptResult.FAILED),
                Arguments.of(new BadCredentialsException("wrong"), AttemptResult.FAILED),
                Arguments.of(new LockedException("locked"), AttemptResult.FAILED),
                Arguments.of(new InsufficientAuthenticationException("another step"), AttemptResult.FAILED),
                Arguments.of(new IllegalStateException("broken"), AttemptResult.FAILED));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void exceptionOfAManager_isSettledByItsMeaning(RuntimeException failure, AttemptResult result) {
        LoginLimitGate logins = new LoginLimitGate(
                limits,
                WaitingThreads.atMost(1),
                () -> ClientSource.of("192.0.2.1").orElseThrow());
        PasswordLogins manager = new PasswordLogins(
                request -> {
                    throw failure;
                },
                logins,
                ManagersByClassTest.noSteps(),
                SecurityContextHolder::getContextHolderStrategy,
                given -> Unseen.NONE);
        assertThatThrownBy(() -> manager.authenticate(LOGIN)).isSameAs(failure);
        assertThat(settled()).containsExactly(result);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failureOfAReactiveManager_isSettledAlike(RuntimeException failure, AttemptResult result) {
        ReactiveLimitedPasswords manager =
                new ReactiveLimitedPasswords(request -> Mono.error(failure), limits, Integer.MAX_VALUE, Unseen.NONE);
        assertThatThrownBy(() -> manager.authenticate(LOGIN).block(LONG)).isSameAs(failure);
        assertThat(settled()).containsExactly(result);
    }

    private Stream<AttemptResult> settled() {
        return events.stream()
                .filter(GuardEvent.LoginSettled.class::isInstance)
                .map(event -> ((GuardEvent.LoginSettled) event).result());
    }
}
