package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.login.Admission;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.password.ComparedPassword;
import dev.latchkey.auth.spring.password.HashingMemory;
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
 * Decides as Spring Security's own manager does, with the service's beans: the same accounts, checks, upgrades and answers. The
 * time and the thread of a hash differ.
 *
 * <ul>
 *   <li>A password that was verified a short while ago is compared on the thread that found the account, and goes on with the scheduler of Spring's.
 *   <li>A hash waits for its permit with no thread; Spring's takes one of a scheduler's.
 *   <li>An unknown name, and an account that is locked or disabled, costs a hash as a wrong password does; Spring's answers
 *       them at once.
 *   <li>A hash is made anew only where somebody stores it; Spring Security 7 also makes those that nobody stores.
 * </ul>
 *
 * <p>The account that was found counts for the limits, where {@link ReactiveLimitedPasswords} has put a reservation around this.
 *
 * @param upgrades replaces an outdated hash within the login; null without such a store
 * @param later replaces the hash after the answer instead; null for none
 */
record ReactiveServiceAccounts(
        ReactiveUserDetailsService users,
        LoginEncoder encoder,
        ReactiveHashing hashing,
        @Nullable ReactiveUserDetailsPasswordService upgrades,
        @Nullable PasswordUpgrade later,
        @Nullable ReactiveCompromisedPasswordChecker compromised)
        implements ReactiveAuthenticationManager {

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

    /** An outage of the store is no wrong password, and a client that gives up on a slow store has tried none. */
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
                                            : matchesUnknownClient(user, password, stored, admitted));
                })
                .flatMap(matched -> noted(
                        login -> ComparedPassword.note(login, matched),
                        () -> matched ? Mono.just(user) : Mono.error(badCredentials())));
    }

    /** No cache for a rejected account: a hit would answer sooner, and so reveal a right password. */
    private Mono<Boolean> matches(UserDetails user, String password, String stored) {
        if (!user.isCredentialsNonExpired()) {
            return hashed(stored, () -> encoder.matchesUncached(password, stored));
        }
        return encoder.matchesAtOnce(password, stored)
                .map(ReactiveServiceAccounts::remembered)
                .orElseGet(() -> hashed(stored, () -> encoder.matches(password, stored)));
    }

    /** For an unknown client, the cache answers only if a hash would begin at once. */
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
        return hashing.compute(HashingMemory.of(stored), check);
    }

    /** A late answer comes on a thread of the limits, which has other answers to give. */
    private static Mono<Reservation> admission(CompletableFuture<Admission> found) {
        Mono<Reservation> answer = Mono.fromFuture(found).map(Admission::orThrow);
        return found.isDone() ? answer : answer.publishOn(Schedulers.boundedElastic());
    }

    /**
     * Continues on the scheduler of Spring's manager. On the event loop, a blocking service would block the event loop. Reactor
     * Netty 1.3.7 stops reading from a connection if such an answer follows an answer from another thread (reactor-netty#4361).
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

    /** In Spring's order and words, because a service may have these in its own messages. */
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

    /** A failure does not reject the login: the hash stays until the next login. */
    private Mono<UserDetails> upgraded(UserDetails user, @Nullable String password) {
        ReactiveUserDetailsPasswordService store = upgrades;
        String stored = user.getPassword();
        if (later != null || store == null || stored == null || password == null || !encoder.upgradeEncoding(stored)) {
            return Mono.just(user);
        }
        return hashing.compute(encoder.memoryOfEncoding(), () -> encoder.encode(password))
                .doOnNext(hash -> encoder.replaced(stored, hash))
                .flatMap(hash -> store.updatePassword(user, hash))
                .onErrorResume(Exception.class, e -> {
                    // Only the type: databases quote the rejected value, or the whole row.
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
