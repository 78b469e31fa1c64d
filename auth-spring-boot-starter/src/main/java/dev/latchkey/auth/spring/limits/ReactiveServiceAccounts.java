package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.login.Admission;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.password.ComparedPassword;
import dev.latchkey.auth.spring.password.LoginEncoder;
import dev.latchkey.auth.spring.password.StoreRefusals;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.authentication.AccountExpiredException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.CredentialsExpiredException;
import org.springframework.security.authentication.DisabledException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.password.CompromisedPasswordException;
import org.springframework.security.authentication.password.ReactiveCompromisedPasswordChecker;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.ReactiveUserDetailsPasswordService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.UserDetails;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Decides as Spring Security's own manager does, with the service's beans. The accounts, checks, upgrades and answers are the
 * same. The time and the thread of a hash differ:
 *
 * <ul>
 *   <li>A recently verified password is compared on the thread that found the account. The login then continues on the scheduler
 *       of Spring's manager.
 *   <li>A hash that waits for its permit takes no thread. Spring's manager takes a thread of a scheduler.
 *   <li>An unknown name and a locked or disabled account cost a hash, as a wrong password does. Spring's manager answers at once.
 *   <li>An outdated hash is upgraded only if a store saves the new hash. Spring Security 7 also computes new hashes that no store
 *       saves.
 * </ul>
 *
 * <p>If {@link ReactiveLimitedPasswords} has added a reservation to the request, the found account counts for the limits.
 *
 * @param upgrades replaces an outdated hash within the login; null without such a store
 * @param later replaces the hash after the answer, instead of {@code upgrades}; null without such an upgrade
 */
record ReactiveServiceAccounts(
        ReactiveUserDetailsService users,
        LoginEncoder encoder,
        ReactiveHashing hashing,
        @Nullable ReactiveUserDetailsPasswordService upgrades,
        @Nullable PasswordUpgrade later,
        @Nullable ReactiveCompromisedPasswordChecker compromised)
        implements ReactiveAuthenticationManager, ComparedPassword.Noting {

    private static final Logger LOG = LoggerFactory.getLogger(ReactiveServiceAccounts.class);

    /** Whether verified passwords are cached. */
    boolean isCached() {
        return encoder.isCached();
    }

    @Override
    public Mono<Authentication> authenticate(Authentication authentication) {
        String name = authentication.getName();
        Object credentials = authentication.getCredentials();
        String password = credentials == null ? null : credentials.toString();
        return account(name)
                .map(user -> verify(user, password))
                .onErrorResume(
                        StoreRefusals::isRejection,
                        refusal -> Mono.just(spendAndFail(badCredentials(refusal), password)))
                .switchIfEmpty(Mono.fromSupplier(() -> spendAndFail(badCredentials(), password)))
                .flatMap(Function.identity())
                .flatMap(user -> accept(name, user, password));
    }

    /**
     * An outage of the store does not count as a wrong password. A client that disconnects before a slow store answers has tried
     * no password.
     */
    private Mono<UserDetails> account(String name) {
        return Mono.deferContextual(context -> {
            CurrentLogin login = ReactiveSource.in(context);
            ComparedPassword.beforeAComparison(login, true);
            return users.findByUsername(name)
                    .doOnSuccess(found -> ComparedPassword.beforeAComparison(login, false))
                    .doOnError(StoreRefusals::isRejection, refusal -> ComparedPassword.beforeAComparison(login, false));
        });
    }

    /** The account if the password is right; otherwise fails, after a hash. */
    private Mono<UserDetails> verify(UserDetails user, @Nullable String password) {
        Optional<AuthenticationException> fault = faultOf(user);
        if (fault.isPresent()) {
            return spendAndFail(fault.get(), password);
        }
        String stored = user.getPassword();
        if (stored == null || password == null) {
            return spendAndFail(badCredentials(), password);
        }
        return Mono.deferContextual(context -> {
                    CurrentLogin current = ReactiveSource.in(context);
                    Reservation login = current.get(ReactiveSource.ADMITTED);
                    return login == null
                            ? matches(user, password, stored)
                            : admission(login.found(stored))
                                    .flatMap(admitted -> admitted.mayRecall() || !CurrentRequest.hasSource(current)
                                            ? matches(user, password, stored)
                                            : current.supply(
                                                    () -> matchesUnknownClient(user, password, stored, admitted)));
                })
                .flatMap(matched -> noted(
                        login -> ComparedPassword.note(login, matched),
                        () -> matched ? Mono.just(user) : Mono.error(badCredentials())));
    }

    /** Uses no cache for an account with expired credentials: a hit would answer sooner, and so reveal a right password. */
    private Mono<Boolean> matches(UserDetails user, String password, String stored) {
        if (!user.isCredentialsNonExpired()) {
            return hashed(stored, () -> encoder.matchesUncached(password, stored));
        }
        return encoder.matchesAtOnce(password, stored)
                .map(ReactiveServiceAccounts::remembered)
                .orElseGet(() -> hashed(stored, () -> encoder.matches(password, stored)));
    }

    /**
     * For an unknown client, the cache answers only if a hash would begin at once. The calling thread has the request, because the
     * answer of the cache takes a hash from the budget of the account and the client IP.
     */
    private Mono<Boolean> matchesUnknownClient(UserDetails user, String password, String stored, Reservation login) {
        if (!user.isCredentialsNonExpired()) {
            return hashed(stored, () -> encoder.matchesUncached(password, stored));
        }
        return encoder.matchesUnknownClientAtOnce(password, stored)
                .map(ReactiveServiceAccounts::remembered)
                .orElseGet(() -> hashed(stored, () -> encoder.matchesAnew(password, stored)))
                .doOnNext(matches -> {
                    if (matches) {
                        login.matched();
                    }
                });
    }

    private Mono<Boolean> hashed(String stored, Callable<Boolean> check) {
        return hashing.compute(encoder.memoryOfMatching(stored), check);
    }

    /**
     * A late answer comes on a thread of the limits. This thread has other answers to give, so the login continues on another
     * thread.
     */
    private static Mono<Reservation> admission(CompletableFuture<Admission> found) {
        Mono<Reservation> answer = Mono.fromFuture(found).map(Admission::orThrow);
        return found.isDone() ? answer : answer.publishOn(Schedulers.boundedElastic());
    }

    /**
     * Continues on the scheduler of Spring's manager. A service that blocks would otherwise block the event loop. Reactor Netty
     * 1.3.7 stops reading from a connection if such an answer follows an answer from another thread (reactor-netty#4361).
     */
    private static Mono<Boolean> remembered(boolean matches) {
        return Mono.just(matches).publishOn(Schedulers.boundedElastic());
    }

    private Mono<UserDetails> spendAndFail(AuthenticationException failure, @Nullable String password) {
        return hashing.compute(encoder.memoryOfSpending(), () -> encoder.spendAHash(password))
                .flatMap(never -> noted(ComparedPassword::noteStandIn, () -> Mono.error(failure)));
    }

    private static Mono<UserDetails> noted(Consumer<CurrentLogin> comparison, Supplier<Mono<UserDetails>> next) {
        return Mono.deferContextual(context -> {
            comparison.accept(ReactiveSource.in(context));
            return next.get();
        });
    }

    private Mono<Authentication> accept(String name, UserDetails user, @Nullable String password) {
        return refuseCompromised(password)
                .then(Mono.defer(() -> upgraded(user, password)))
                .doOnNext(account -> {
                    if (!account.isCredentialsNonExpired()) {
                        throw new CredentialsExpiredException("User credentials have expired");
                    }
                    upgradeLater(name, account, password);
                })
                .map(account -> UsernamePasswordAuthenticationToken.authenticated(
                        account, account.getPassword(), account.getAuthorities()));
    }

    /** The checks have Spring Security's order and messages, because a service may use these messages. */
    private static Optional<AuthenticationException> faultOf(UserDetails user) {
        if (!user.isAccountNonLocked()) {
            return Optional.of(new LockedException("User account is locked"));
        }
        if (!user.isEnabled()) {
            return Optional.of(new DisabledException("User is disabled"));
        }
        return user.isAccountNonExpired()
                ? Optional.empty()
                : Optional.of(new AccountExpiredException("User account has expired"));
    }

    private Mono<Void> refuseCompromised(@Nullable String password) {
        ReactiveCompromisedPasswordChecker checker = compromised;
        if (checker == null) {
            return Mono.empty();
        }
        return checker.check(password)
                .filter(decision -> decision.isCompromised())
                .flatMap(decision -> Mono.error(new CompromisedPasswordException(
                        "The provided password is compromised, please change your password")));
    }

    private void upgradeLater(String name, UserDetails user, @Nullable String password) {
        String stored = user.getPassword();
        if (later != null && stored != null && password != null) {
            later.afterSuccess(encoder, name, password, stored);
        }
    }

    /** A failed upgrade does not reject the login. The old hash stays until the next login. */
    private Mono<UserDetails> upgraded(UserDetails user, @Nullable String password) {
        ReactiveUserDetailsPasswordService store = upgrades;
        String stored = user.getPassword();
        if (later != null || store == null || stored == null || password == null || !encoder.upgradeEncoding(stored)) {
            return Mono.just(user);
        }
        return hashing.compute(encoder.memoryOfEncoding(), () -> encoder.encode(password))
                .doOnNext(hash -> encoder.replaced(stored, hash))
                .flatMap(hash -> store.updatePassword(user, hash))
                .switchIfEmpty(Mono.error(() -> new IllegalStateException("The store has no such account")))
                .onErrorResume(e -> {
                    // Log only the type of the exception: databases quote the rejected value, or the whole row.
                    LOG.warn(
                            "A password hash could not be upgraded: {}",
                            e.getClass().getName());
                    return Mono.just(user);
                });
    }

    private static BadCredentialsException badCredentials() {
        return badCredentials(null);
    }

    /**
     * @param refusal of the store, for the service's log; null if the store has answered
     */
    private static BadCredentialsException badCredentials(@Nullable Throwable refusal) {
        return new BadCredentialsException("Invalid Credentials", refusal);
    }
}
