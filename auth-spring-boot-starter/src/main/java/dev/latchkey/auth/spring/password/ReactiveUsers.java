package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.spring.http.ReactiveWork;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.password.ReactiveCompromisedPasswordChecker;
import org.springframework.security.core.userdetails.ReactiveUserDetailsPasswordService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import reactor.core.publisher.Mono;

/**
 * Blocking access to the accounts of a reactive store, for code that never runs on an event loop: the plugin {@code users} on the
 * threads of {@link ReactiveWork}, and the upgrade of hashes on its own thread. Safe for use by any number of threads.
 */
public final class ReactiveUsers {

    /** After this time the store counts as an outage. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private ReactiveUsers() {}

    /**
     * Reads accounts.
     *
     * @param users of the service
     * @return waits for each account
     */
    public static UserDetailsService of(ReactiveUserDetailsService users) {
        return name -> {
            UserDetails user = answerOf(users.findByUsername(name));
            if (user == null) {
                throw new UsernameNotFoundException("No account has this name");
            }
            return user;
        };
    }

    /**
     * Detects compromised passwords.
     *
     * @param checker of the service; null for a service without a checker
     * @return waits for the checker
     */
    public static Predicate<CharSequence> compromised(@Nullable ReactiveCompromisedPasswordChecker checker) {
        return password -> checker != null
                && Objects.requireNonNull(answerOf(checker.check(password.toString())), "decision")
                        .isCompromised();
    }

    /**
     * Replaces hashes.
     *
     * @param upgrades of the service
     * @return waits for each replacement
     */
    public static UserDetailsPasswordService upgrades(ReactiveUserDetailsPasswordService upgrades) {
        return (user, hash) -> Objects.requireNonNullElse(answerOf(upgrades.updatePassword(user, hash)), user);
    }

    /** The store's answer to the request of the calling thread. A store may read its tenant from the Reactor context. */
    private static <T> @Nullable T answerOf(Mono<T> question) {
        return question.contextWrite(ReactiveWork.contextHere()).block(PATIENCE);
    }
}
