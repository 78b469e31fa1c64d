package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.cache.CachingPasswordEncoder;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.password.CompromisedPasswordException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.password.PasswordEncoder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Decides as the manager of Spring Security that it stands in for, with its accounts, checks and upgrades and with the same
 * answers, and differs in where and when a hash is computed.
 *
 * <ul>
 *   <li>A password that was verified a short while ago is answered on the thread that found the account; Spring's goes
 *       through a scheduler for each request.
 *   <li>Every hash is computed past the guard, on the hashing pool; Spring's on whatever number of threads the scheduler has.
 *   <li>An unknown name, and an account that is locked or disabled, costs a hash as a wrong password does; Spring's answers
 *       them at once.
 *   <li>A hash is made anew only where somebody stores it; Spring Security 7 also makes those that nobody stores.
 * </ul>
 */
final class ReactivePasswordLogin implements ReactiveAuthenticationManager {

    private final ReactiveLoginParts parts;
    private final PasswordEncoder encoder;
    private final @Nullable CachingPasswordEncoder cached;
    private final ReactiveHashing hashing;
    private final UnknownUserWork unknownUserWork;
    private final Scheduler scheduler;

    /** What the last hash that was made anew allocates: the next one will most likely have the same parameters. */
    private volatile long memoryOfNewHashes;

    /**
     * @param encoder of the parts, or what stands in for it
     * @param cached what knows which passwords that encoder has verified; null if nothing does
     */
    ReactivePasswordLogin(
            ReactiveLoginParts parts,
            PasswordEncoder encoder,
            @Nullable CachingPasswordEncoder cached,
            ReactiveHashing hashing) {
        this.parts = parts;
        this.encoder = encoder;
        this.cached = cached;
        this.hashing = hashing;
        this.unknownUserWork = new UnknownUserWork(cached == null ? encoder : cached, System::nanoTime);
        this.scheduler = parts.scheduler();
    }

    @Override
    public Mono<Authentication> authenticate(Authentication authentication) {
        Login login = new Login(authentication.getName(), passwordOf(authentication));
        return Mono.defer(() -> parts.accounts().retrieve(login.name))
                .map(Lookup::found)
                .onErrorResume(AuthenticationException.class, failure -> Mono.just(Lookup.refused(failure)))
                .defaultIfEmpty(Lookup.UNKNOWN)
                .flatMap(login::verify)
                .flatMap(login::accept);
    }

    private static @Nullable String passwordOf(Authentication authentication) {
        Object credentials = authentication.getCredentials();
        return credentials == null ? null : credentials.toString();
    }

    /** What is there under a name. No record: a record prints its components. */
    private static final class Lookup {

        private static final Lookup UNKNOWN = new Lookup(null, null);

        private final @Nullable UserDetails user;
        private final @Nullable AuthenticationException failure;

        private Lookup(@Nullable UserDetails user, @Nullable AuthenticationException failure) {
            this.user = user;
            this.failure = failure;
        }

        private static Lookup found(UserDetails user) {
            return new Lookup(user, null);
        }

        private static Lookup refused(AuthenticationException failure) {
            return new Lookup(null, failure);
        }
    }

    /** One name with the password presented for it. */
    private final class Login {

        private final String name;
        private final @Nullable String password;

        private Login(String name, @Nullable String password) {
            this.name = name;
            this.password = password;
        }

        /** The account if the password is its own; otherwise fails, after a hash. */
        private Mono<UserDetails> verify(Lookup account) {
            UserDetails user = account.user;
            if (user == null) {
                return spendAndFail(account.failure == null ? badCredentials() : account.failure);
            }
            try {
                parts.checksBefore().check(user);
            } catch (AuthenticationException e) {
                return spendAndFail(e);
            }
            if (cached != null
                    && password != null
                    && cached.matchesAtOnce(password, user.getPassword()).orElse(false)) {
                return Mono.just(user);
            }
            String stored = user.getPassword();
            Callable<Boolean> check = () -> unknownUserWork.matches(password, stored, encoder);
            return hashing.check(name, stored == null ? 0 : HashingMemory.of(stored), check, scheduler)
                    .flatMap(matched -> matched ? Mono.just(user) : Mono.error(badCredentials()));
        }

        private Mono<UserDetails> spendAndFail(AuthenticationException failure) {
            Callable<Boolean> work = unknownUserWork::spend;
            return hashing.check(name, unknownUserWork.memoryBytes(), work, scheduler)
                    .then(Mono.error(failure));
        }

        private Mono<Authentication> accept(UserDetails user) {
            return refuseCompromised()
                    .then(Mono.defer(() -> upgraded(user)))
                    .doOnNext(account -> parts.checksAfter().check(account))
                    .map(account -> UsernamePasswordAuthenticationToken.authenticated(
                            account, account.getPassword(), account.getAuthorities()));
        }

        private Mono<Void> refuseCompromised() {
            return Mono.justOrEmpty(parts.compromised())
                    .flatMap(checker -> checker.check(password))
                    .filter(decision -> decision.isCompromised())
                    .flatMap(decision -> Mono.error(new CompromisedPasswordException(
                            "The provided password is compromised, please change your password")));
        }

        /** An overloaded pool costs nobody the login: the hash stays as it is until the next one. */
        private Mono<UserDetails> upgraded(UserDetails user) {
            String stored = user.getPassword();
            if (parts.upgrades().isEmpty() || stored == null || !encoder.upgradeEncoding(stored)) {
                return Mono.just(user);
            }
            return hashing.compute(memoryOfNewHashes, () -> encoder.encode(password), scheduler)
                    .doOnNext(hash -> memoryOfNewHashes = HashingMemory.of(hash))
                    .flatMap(hash -> parts.upgrades().get().updatePassword(user, hash))
                    .onErrorResume(AuthUnavailableException.class, e -> Mono.just(user));
        }
    }

    /** Spring's words, since a service may have them in its own messages. */
    private static BadCredentialsException badCredentials() {
        return new BadCredentialsException("Invalid Credentials");
    }
}
