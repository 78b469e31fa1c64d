package dev.latchkey.auth.spring.plugin;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.springframework.security.authentication.AccountExpiredException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.DisabledException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import reactor.core.publisher.Mono;

/** Accounts with a state that an exception reports, as in generated applications. */
public final class StoreThatThrows {

    /** Each is a rejection. */
    public static final List<String> REFUSED = List.of("disabled", "locked", "expired", "inactive", "barred");

    private final Map<String, Function<String, AuthenticationException>> failures = new ConcurrentHashMap<>(Map.of(
            "disabled", DisabledException::new,
            "locked", LockedException::new,
            "expired", AccountExpiredException::new,
            "inactive", NotActivatedException::new,
            "barred", BadCredentialsException::new,
            "down", AuthenticationServiceException::new));

    private final String hash;

    public StoreThatThrows(String hash) {
        this.hash = hash;
    }

    /** From now on this account is refused by an exception. */
    public void disable(String name) {
        failures.put(name, DisabledException::new);
    }

    public UserDetailsService accounts() {
        return this::load;
    }

    public ReactiveUserDetailsService reactive() {
        return name -> Mono.fromCallable(() -> load(name))
                .onErrorResume(UsernameNotFoundException.class, unknown -> Mono.empty());
    }

    private UserDetails load(String name) {
        if (failures.containsKey(name)) {
            throw failures.get(name).apply("The account " + name + " may not log in");
        }
        if (!name.equals("alice")) {
            throw new UsernameNotFoundException("No account has this name");
        }
        return User.withUsername(name).password(hash).authorities("ROLE_USER").build();
    }

    /** A type of the service's own. */
    private static final class NotActivatedException extends AuthenticationException {

        private static final long serialVersionUID = 1L;

        NotActivatedException(String message) {
            super(message);
        }
    }
}
