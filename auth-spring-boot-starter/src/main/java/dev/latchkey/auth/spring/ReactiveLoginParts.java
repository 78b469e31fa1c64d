package dev.latchkey.auth.spring;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractUserDetailsReactiveAuthenticationManager;
import org.springframework.security.authentication.password.ReactiveCompromisedPasswordChecker;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.ReactiveUserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsChecker;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What one of Spring Security's managers was made of: its accounts, encoder, checks and upgrades.
 *
 * <p>Spring Security lets these be set and not be read, so they are read where they are stored. A line on which they are
 * stored otherwise, and a class that decides in a way of its own, gives none.
 *
 * @param scheduler where the manager would have hashed, and what comes after goes on
 */
record ReactiveLoginParts(
        Accounts accounts,
        PasswordEncoder encoder,
        Scheduler scheduler,
        UserDetailsChecker checksBefore,
        UserDetailsChecker checksAfter,
        Optional<ReactiveUserDetailsPasswordService> upgrades,
        Optional<ReactiveCompromisedPasswordChecker> compromised) {

    private static final Class<?> OWNER = AbstractUserDetailsReactiveAuthenticationManager.class;

    /** Where accounts are found by their names. */
    @FunctionalInterface
    interface Accounts {
        Mono<UserDetails> retrieve(String name);
    }

    /** Empty where the manager decides in a way of its own, or keeps its parts elsewhere. */
    static Optional<ReactiveLoginParts> of(AbstractUserDetailsReactiveAuthenticationManager manager) {
        Method authenticate = ReflectionUtils.findMethod(manager.getClass(), "authenticate", Authentication.class);
        if (authenticate == null || authenticate.getDeclaringClass() != OWNER) {
            return Optional.empty();
        }
        Method retrieveUser = ReflectionUtils.findMethod(OWNER, "retrieveUser", String.class);
        PasswordEncoder encoder = read(manager, "passwordEncoder", PasswordEncoder.class);
        Scheduler scheduler = read(manager, "scheduler", Scheduler.class);
        UserDetailsChecker before = read(manager, "preAuthenticationChecks", UserDetailsChecker.class);
        UserDetailsChecker after = read(manager, "postAuthenticationChecks", UserDetailsChecker.class);
        if (retrieveUser == null || encoder == null || scheduler == null || before == null || after == null) {
            return Optional.empty();
        }
        return Optional.of(new ReactiveLoginParts(
                accounts(manager, retrieveUser),
                encoder,
                scheduler,
                before,
                after,
                Optional.ofNullable(
                                read(manager, "userDetailsPasswordService", ReactiveUserDetailsPasswordService.class))
                        .filter(service -> !service.equals(noUpgrades())),
                Optional.ofNullable(
                        read(manager, "compromisedPasswordChecker", ReactiveCompromisedPasswordChecker.class))));
    }

    @SuppressWarnings("unchecked") // The method is declared to return this.
    private static Accounts accounts(AbstractUserDetailsReactiveAuthenticationManager manager, Method retrieveUser) {
        ReflectionUtils.makeAccessible(retrieveUser);
        return name ->
                (Mono<UserDetails>) Objects.requireNonNull(ReflectionUtils.invokeMethod(retrieveUser, manager, name));
    }

    private static <T> @Nullable T read(Object manager, String name, Class<T> type) {
        Field field = ReflectionUtils.findField(OWNER, name, type);
        if (field == null) {
            return null;
        }
        ReflectionUtils.makeAccessible(field);
        return type.cast(ReflectionUtils.getField(field, manager));
    }

    /** Spring Security 7's stand-in for a service that there is none of; before, there was nothing in its place. */
    private static @Nullable Object noUpgrades() {
        Field field = ReflectionUtils.findField(ReactiveUserDetailsPasswordService.class, "NOOP");
        return field == null ? null : ReflectionUtils.getField(field, null);
    }
}
