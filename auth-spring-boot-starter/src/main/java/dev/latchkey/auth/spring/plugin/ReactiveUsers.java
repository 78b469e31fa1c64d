package dev.latchkey.auth.spring.plugin;

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

/**
 * Blocking access to the accounts of a reactive store, for {@link UserDetailsPlugin}: on the threads of {@link ReactiveWork}, and
 * never on an event loop.
 */
final class ReactiveUsers {

    /** After this time the store counts as an outage. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private ReactiveUsers() {}

    static UserDetailsService of(ReactiveUserDetailsService users) {
        return name -> {
            UserDetails user = users.findByUsername(name).block(PATIENCE);
            if (user == null) {
                throw new UsernameNotFoundException("No account has this name");
            }
            return user;
        };
    }

    /** Whether the service's checker knows a password as compromised; without a checker, no password is. */
    static Predicate<String> compromised(@Nullable ReactiveCompromisedPasswordChecker checker) {
        return password -> checker != null
                && Objects.requireNonNull(checker.check(password).block(PATIENCE), "decision")
                        .isCompromised();
    }

    static UserDetailsPasswordService upgrades(ReactiveUserDetailsPasswordService upgrades) {
        return (user, hash) ->
                Objects.requireNonNullElse(upgrades.updatePassword(user, hash).block(PATIENCE), user);
    }
}
