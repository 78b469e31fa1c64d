package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.spring.password.ComparedPassword.Unseen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

class SignalledErrorsTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    static Stream<ReactiveAuthenticationManager> fatalManagers() {
        return Stream.of(
                request -> {
                    throw new NoClassDefFoundError("Gone");
                },
                request -> Mono.fromCallable(() -> {
                    throw new NoClassDefFoundError("Gone");
                }));
    }

    @ParameterizedTest
    @MethodSource("fatalManagers")
    void errorThatReactorThrows_isAFailureOfTheLogin_whichIsSettled(ReactiveAuthenticationManager fatal) {
        List<GuardEvent> events = new ArrayList<>();
        try (GuardTime time = GuardTime.start()) {
            LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, events::add);
            ReactiveLimitedPasswords manager = new ReactiveLimitedPasswords(fatal, limits, 1, Unseen.NONE);
            for (int i = 0; i < 3; i++) {
                assertThat(manager.authenticate(
                                        UsernamePasswordAuthenticationToken.unauthenticated("alice", "password"))
                                .materialize()
                                .block(LONG)
                                .getThrowable())
                        .isInstanceOf(NoClassDefFoundError.class);
            }
        }
        assertThat(events)
                .filteredOn(GuardEvent.LoginSettled.class::isInstance)
                .hasSize(3)
                .containsOnly(new GuardEvent.LoginSettled(AttemptResult.FAILED));
    }

    @Test
    void errorOfWhoGotTheAnswer_isThrown_andNoSecondAnswer() {
        List<Throwable> failures = new ArrayList<>();
        CoreSubscriber<String> receiver = new CoreSubscriber<>() {
            @Override
            public void onSubscribe(Subscription subscription) {
                subscription.request(1);
            }

            @Override
            public void onNext(String answer) {
                throw new NoClassDefFoundError("Gone");
            }

            @Override
            public void onError(Throwable failure) {
                failures.add(failure);
            }

            @Override
            public void onComplete() {}
        };
        assertThatThrownBy(() -> SignalledErrors.of(Mono.just("answer")).subscribe(receiver))
                .isInstanceOf(NoClassDefFoundError.class);
        assertThat(failures).isEmpty();
    }
}
