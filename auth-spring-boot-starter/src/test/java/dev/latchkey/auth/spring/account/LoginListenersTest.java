package dev.latchkey.auth.spring.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A listener that fails changes no login, and keeps no event from the next listener. */
class LoginListenersTest {

    static Stream<Runnable> failures() {
        return Stream.of(
                () -> {
                    throw new IllegalStateException("broken");
                },
                () -> {
                    throw new NoClassDefFoundError("com/example/Missing");
                });
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failureOfAListener_isItsOwn(Runnable failure) {
        List<String> seen = new ArrayList<>();
        LoginListener all = new LoginListeners(List.of(
                new LoginListener() {
                    @Override
                    public void ended(String subjectId, Cause cause) {
                        failure.run();
                    }
                },
                new LoginListener() {
                    @Override
                    public void ended(String subjectId, Cause cause) {
                        seen.add(subjectId);
                    }
                }));
        all.ended("ada", LoginListener.Cause.DISPLACED);
        assertThat(seen).containsExactly("ada");
    }
}
