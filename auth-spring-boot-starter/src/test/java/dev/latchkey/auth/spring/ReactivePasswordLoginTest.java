package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.guard.ClientSource;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HashingPool;
import dev.latchkey.auth.guard.HashingPoolSettings;
import dev.latchkey.auth.guard.LoginGuard;
import dev.latchkey.auth.guard.LoginLimitSettings;
import dev.latchkey.auth.guard.LoginLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.CredentialsExpiredException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UserDetailsRepositoryReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.password.CompromisedPasswordDecision;
import org.springframework.security.authentication.password.CompromisedPasswordException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import reactor.core.publisher.Mono;

class ReactivePasswordLoginTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final ClientSource SOMEWHERE = new ClientSource("192.0.2.1");

    /** 2 MiB. */
    private static final String ARGON2 = "$argon2id$v=19$m=2048,t=2,p=1$";

    private static final long ITS_MEMORY = 2048 * 1024;

    private final GuardTime time = GuardTime.start();
    private final HashingPool pool =
            HashingPool.start(HashingPoolSettings.defaults().withMaxWait(LONG), time);
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final CredentialCache cache =
            CredentialCache.with(CredentialCacheSettings.defaults().withFastLoad(Duration.ZERO));
    private final RecordingEncoder recorder =
            new RecordingEncoder(() -> pool.stats().memoryInUse());
    private final CachingPasswordEncoder encoder = CachingPasswordEncoder.around(recorder, cache);
    private final UserDetailsRepositoryReactiveAuthenticationManager springs =
            new UserDetailsRepositoryReactiveAuthenticationManager(ReactivePasswordLoginTest::account);

    ReactivePasswordLoginTest() {
        springs.setPasswordEncoder(encoder);
    }

    @AfterEach
    void close() {
        pool.close();
        time.close();
        cache.close();
    }

    @Test
    void passwordIsHashed_onThePoolAndNowhereElse() {
        assertThat(login("alice", "right").getName()).isEqualTo("alice");
        assertThatThrownBy(() -> login("alice", "wrong")).isInstanceOf(BadCredentialsException.class);
        assertThatThrownBy(() -> login("nobody", "right")).isInstanceOf(BadCredentialsException.class);
        assertThat(recorder.threads).hasSize(3).allMatch(name -> name.startsWith("latchkey-hash-"));
    }

    @Test
    void verifiedPassword_isAnsweredOnTheSameThread() {
        login("alice", "right");
        AtomicReference<Thread> answered = new AtomicReference<>();
        latchkeys().authenticate(given("alice", "right")).subscribe(answer -> answered.set(Thread.currentThread()));
        assertThat(answered).hasValue(Thread.currentThread());
        assertThat(recorder.threads).hasSize(1);
    }

    @Test
    void afterAHash_nothingMoreRunsOnThePool() {
        String thread = latchkeys()
                .authenticate(given("alice", "right"))
                .map(answer -> Thread.currentThread().getName())
                .block(LONG);
        assertThat(thread).startsWith("boundedElastic-");
    }

    @Test
    void unknownName_costsTheHashThatAccountsHave() {
        ReactiveAuthenticationManager latchkeys = latchkeys();
        latchkeys.authenticate(given("alice", "right")).block(LONG);
        assertThatThrownBy(
                        () -> latchkeys.authenticate(given("nobody", "right")).block(LONG))
                .isInstanceOf(BadCredentialsException.class);
        assertThat(recorder.calls).containsExactly("matches of right", "matches of right");
    }

    @Test
    void nameThatTheStoreRefuses_costsAHashAndIsTheStoresAnswer() {
        assertThatThrownBy(() -> login("refused", "right"))
                .isInstanceOf(UsernameNotFoundException.class)
                .hasMessage("No such name");
        assertThat(recorder.calls).hasSize(1);
    }

    @Test
    void lockedAccount_costsAHashWhateverWasVerified() {
        login("alice", "right");
        assertThatThrownBy(() -> login("locked", "right")).isInstanceOf(LockedException.class);
        assertThat(recorder.calls).hasSize(2);
    }

    @Test
    void verifiedPassword_doesNotPassTheChecksAfterIt() {
        login("alice", "right");
        assertThatThrownBy(() -> login("expired", "right")).isInstanceOf(CredentialsExpiredException.class);
        springs.setCompromisedPasswordChecker(
                password -> Mono.just(new CompromisedPasswordDecision(password.equals("right"))));
        assertThatThrownBy(() -> login("alice", "right")).isInstanceOf(CompromisedPasswordException.class);
        assertThat(recorder.calls).hasSize(1);
    }

    @Test
    void hashThatNobodyStores_isNotMadeAnew() {
        recorder.outdated = true;
        login("alice", "right");
        login("alice", "right");
        assertThat(recorder.calls).containsExactly("matches of right");
    }

    @Test
    void hashThatIsStored_isMadeOnThePool() {
        recorder.outdated = true;
        List<String> stored = new ArrayList<>();
        springs.setUserDetailsPasswordService((user, hash) -> {
            stored.add(hash);
            return Mono.just(User.withUserDetails(user).password(hash).build());
        });
        assertThat(login("alice", "right").getCredentials()).isEqualTo("right");
        assertThat(stored).containsExactly("right");
        assertThat(recorder.calls).containsExactly("matches of right", "encode");
        assertThat(recorder.threads).allMatch(name -> name.startsWith("latchkey-hash-"));
    }

    @Test
    void memoryOfAHash_isToldToThePool_alsoForUnknownNamesAndForHashesMadeAnew() {
        ReactiveAuthenticationManager latchkeys = latchkeys();
        latchkeys.authenticate(given("argon", "right")).block(LONG);
        assertThatThrownBy(
                        () -> latchkeys.authenticate(given("nobody", "right")).block(LONG))
                .isInstanceOf(BadCredentialsException.class);
        assertThat(recorder.memory).containsExactly(ITS_MEMORY, ITS_MEMORY);
        assertThat(pool.stats().memoryInUse()).isZero();
    }

    @Test
    void memoryOfTheLastHashThatWasMadeAnew_isExpectedOfTheNext() {
        recorder.outdated = true;
        recorder.made = ARGON2;
        springs.setUserDetailsPasswordService((user, hash) -> Mono.just(user));
        ReactiveAuthenticationManager latchkeys = latchkeys();
        latchkeys.authenticate(given("alice", "right")).block(LONG);
        latchkeys.authenticate(given("alice", "right")).block(LONG);
        assertThat(recorder.calls).containsExactly("matches of right", "encode", "encode");
        assertThat(recorder.memory).containsExactly(0L, 0L, ITS_MEMORY);
    }

    @Test
    void wrongPasswords_areLimitedAndVerifiedOnesAreNot() {
        login("alice", "right");
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> login("alice", "wrong")).isInstanceOf(BadCredentialsException.class);
        }
        assertThatThrownBy(() -> login("alice", "wrong"))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(AuthUnavailableException.Kind.THROTTLED));
        assertThat(login("alice", "right").isAuthenticated()).isTrue();
    }

    @Test
    void unknownNames_areLimitedAsKnownOnesAre() {
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> login("nobody", "wrong")).isInstanceOf(BadCredentialsException.class);
        }
        assertThatThrownBy(() -> login("nobody", "wrong")).isInstanceOf(AuthUnavailableException.class);
    }

    @Test
    void closedPool_isAnOutageAndNoRejection() {
        pool.close();
        assertThatThrownBy(() -> login("alice", "right")).isInstanceOf(AuthUnavailableException.class);
    }

    @Test
    void withoutAGuard_hashesAreWhereSpringSecurityHasThem() {
        ReactiveLoginParts parts = ReactiveLoginParts.of(springs).orElseThrow();
        new ReactivePasswordLogin(parts, encoder, encoder, new ReactiveHashing(null))
                .authenticate(given("alice", "right"))
                .block(LONG);
        assertThat(recorder.threads).singleElement().asString().startsWith("boundedElastic-");
    }

    @Test
    void managerThatDecidesByItself_hasNoParts() {
        assertThat(ReactiveLoginParts.of(new UserDetailsRepositoryReactiveAuthenticationManager(name -> Mono.empty()) {
                    @Override
                    public Mono<Authentication> authenticate(Authentication authentication) {
                        return Mono.just(authentication);
                    }
                }))
                .isEmpty();
    }

    private Authentication login(String name, String password) {
        return latchkeys()
                .authenticate(given(name, password))
                .contextWrite(context -> context.put(ClientSource.class, SOMEWHERE))
                .block(LONG);
    }

    private ReactiveAuthenticationManager latchkeys() {
        ReactiveLoginParts parts = ReactiveLoginParts.of(springs).orElseThrow();
        return new ReactivePasswordLogin(parts, encoder, encoder, new ReactiveHashing(new LoginGuard(limits, pool)));
    }

    private static Authentication given(String name, String password) {
        return UsernamePasswordAuthenticationToken.unauthenticated(name, password);
    }

    private static Mono<UserDetails> account(String name) {
        User.UserBuilder account = User.withUsername(name).password("right").roles("USER");
        return switch (name) {
            case "nobody" -> Mono.empty();
            case "refused" -> Mono.error(new UsernameNotFoundException("No such name"));
            case "locked" -> Mono.just(account.accountLocked(true).build());
            case "argon" -> Mono.just(account.password(ARGON2 + "right").build());
            case "expired" -> Mono.just(account.credentialsExpired(true).build());
            default -> Mono.just(account.build());
        };
    }
}
