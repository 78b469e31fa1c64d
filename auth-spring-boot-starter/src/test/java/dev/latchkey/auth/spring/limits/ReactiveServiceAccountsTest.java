package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import dev.latchkey.auth.spring.RecordingEncoder;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.password.ComparedPassword.Unseen;
import dev.latchkey.auth.spring.password.LoginEncoder;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.CredentialsExpiredException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.password.CompromisedPasswordDecision;
import org.springframework.security.authentication.password.CompromisedPasswordException;
import org.springframework.security.authentication.password.ReactiveCompromisedPasswordChecker;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.ReactiveUserDetailsPasswordService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

class ReactiveServiceAccountsTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final ClientSource SOMEWHERE = ClientSource.of("192.0.2.1").orElseThrow();
    private static final ClientSource ELSEWHERE =
            ClientSource.of("198.51.100.1").orElseThrow();

    /** 2 MiB. */
    private static final String ARGON2 = "$argon2id$v=19$m=2048,t=2,p=1$";

    private static final long ITS_MEMORY = 2048 * 1024;

    /** One hash at a time; the second fits into the wait, and the third does not. */
    private static final HashingSettings ONE_AT_A_TIME =
            HashingSettings.defaults().withAtOnce(1).withMaxWait(LONG).withFirstEstimate(Duration.ofSeconds(8));

    private final GuardTime time = GuardTime.start();
    private final HashingPermits permits =
            new HashingPermits(ONE_AT_A_TIME, WaitingThreads.atMost(1), time, GuardListener.NONE);
    private final ReactiveHashing hashing = new ReactiveHashing(permits);
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final CredentialCache cache =
            CredentialCache.with(CredentialCacheSettings.defaults().withFastLoad(Duration.ZERO));
    private final RecordingEncoder recorder =
            new RecordingEncoder(() -> permits.stats().memoryInUse());
    private final LoginEncoder encoder = TestLoginEncoders.around(recorder, cache, permits, null);
    private ReactiveUserDetailsPasswordService upgrades;
    private PasswordUpgrade later;
    private ReactiveCompromisedPasswordChecker compromised;

    @AfterEach
    void close() {
        hashing.close();
        time.close();
        cache.close();
    }

    @Test
    void passwordIsHashed_onTheThreadsForItAndNowhereElse() {
        assertThat(login("alice", "right").getName()).isEqualTo("alice");
        assertThatThrownBy(() -> login("argon", "wrong")).isInstanceOf(BadCredentialsException.class);
        assertThatThrownBy(() -> login("nobody", "right")).isInstanceOf(BadCredentialsException.class);
        assertThat(recorder.threads).hasSize(3).allMatch("latchkey-hash"::equals);
    }

    @Test
    void verifiedPassword_costsNoHash_andIsAnsweredOnNoEventLoop() {
        login("alice", "right");
        String answered = latchkeys()
                .authenticate(given("alice", "right"))
                .map(answer -> Thread.currentThread().getName())
                .block(LONG);
        assertThat(answered).startsWith("boundedElastic-");
        assertThat(recorder.threads).hasSize(1);
    }

    @Test
    void afterAHash_nothingMoreRunsOnTheThreadsForIt() {
        String thread = latchkeys()
                .authenticate(given("alice", "right"))
                .map(answer -> Thread.currentThread().getName())
                .block(LONG);
        assertThat(thread).startsWith("boundedElastic-");
    }

    @Test
    void clientThatHasFailed_leavesThePlaceForAHashToOthers() {
        assertThatThrownBy(() -> login("alice", "wrong")).isInstanceOf(BadCredentialsException.class);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<String> first = occupied(end);
        assertThatThrownBy(() -> login("bob", "right"))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(Kind.OVERLOAD));
        CompletableFuture<Authentication> newcomer =
                from(ELSEWHERE, latchkeys().authenticate(given("bob", "right"))).toFuture();
        assertThat(permits.stats().waiting()).isEqualTo(1);
        end.countDown();
        assertThat(first.join()).isEqualTo("hashed");
        assertThat(newcomer.join().getName()).isEqualTo("bob");
    }

    @Test
    void unknownName_costsTheHashThatAccountsHave() {
        login("alice", "right");
        assertThatThrownBy(() -> login("nobody", "right")).isInstanceOf(BadCredentialsException.class);
        assertThat(recorder.calls).containsExactly("matches of right", "matches of right");
    }

    @Test
    void placeholder_costsTheHashThatAccountsHave_andItsMemory() {
        login("argon", "right");
        assertThatThrownBy(() -> login("placeholder", "right")).isInstanceOf(BadCredentialsException.class);
        String hash = "matches of " + ARGON2 + "right";
        assertThat(recorder.calls).containsExactly(hash, "matches of !", hash);
        assertThat(recorder.memory).containsOnly(ITS_MEMORY);
    }

    /** Spring Boot's default encoder throws for a text without an id of an encoder. */
    @Test
    void placeholderThatTheEncoderRejectsByAnException_costsAHash() {
        LoginEncoder ofBoot = TestLoginEncoders.around(
                new DelegatingPasswordEncoder("recorder", Map.of("recorder", recorder)), cache, permits, null);
        ReactiveServiceAccounts accounts =
                new ReactiveServiceAccounts(ReactiveServiceAccountsTest::account, ofBoot, hashing, null, null, null);
        assertThatThrownBy(() ->
                        accounts.authenticate(given("placeholder", "right")).block(LONG))
                .isInstanceOf(BadCredentialsException.class);
        assertThat(recorder.calls).hasSize(1);
    }

    @Test
    void nameThatTheStoreRefuses_costsAHashAndIsToldAsAWrongPassword() {
        assertThatThrownBy(() -> login("refused", "right"))
                .isInstanceOf(BadCredentialsException.class)
                .hasRootCauseMessage("No such name");
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
        compromised = password -> Mono.just(new CompromisedPasswordDecision(password.equals("right")));
        assertThatThrownBy(() -> login("alice", "right")).isInstanceOf(CompromisedPasswordException.class);
        // The account that is refused anyway cost a hash of its own: no hit tells that its password is right.
        assertThat(recorder.calls).hasSize(2);
    }

    @Test
    void hashThatNobodyStores_isNotMadeAnew() {
        recorder.outdated = true;
        login("alice", "right");
        login("alice", "right");
        assertThat(recorder.calls).containsExactly("matches of right");
    }

    @Test
    void hashThatIsStored_isMadeOnTheThreadsForIt() {
        recorder.outdated = true;
        List<String> stored = new ArrayList<>();
        upgrades = (user, hash) -> {
            stored.add(hash);
            return Mono.just(User.withUserDetails(user).password(hash).build());
        };
        assertThat(login("alice", "right").getCredentials()).isEqualTo("right");
        assertThat(stored).containsExactly("right");
        assertThat(recorder.calls).containsExactly("matches of right", "encode");
        assertThat(recorder.threads).allMatch("latchkey-hash"::equals);
    }

    @Test
    void memoryOfAHash_isTakenWithItsPermit_alsoForUnknownNames() {
        login("argon", "right");
        assertThatThrownBy(() -> login("nobody", "right")).isInstanceOf(BadCredentialsException.class);
        assertThat(recorder.memory).containsExactly(ITS_MEMORY, ITS_MEMORY);
        assertThat(permits.stats().memoryInUse()).isZero();
    }

    @Test
    void memoryOfTheLastHashThatWasMadeAnew_isExpectedOfTheNext() {
        recorder.outdated = true;
        recorder.made = ARGON2;
        upgrades = (user, hash) -> Mono.just(user);
        login("alice", "right");
        login("alice", "right");
        assertThat(recorder.calls).containsExactly("matches of right", "encode", "encode");
        assertThat(recorder.memory).containsExactly(0L, 0L, ITS_MEMORY);
    }

    @Test
    void sourceThatFailedTooOften_isRefusedTheRightPasswordToo_withNoComparison() {
        login("alice", "right", ELSEWHERE);
        failFiveTimes("alice");
        recorder.calls.clear();
        assertRefused("alice", "wrong");
        assertRefused("alice", "right");
        assertThat(recorder.calls).isEmpty();
        assertThat(login("alice", "right", ELSEWHERE).isAuthenticated()).isTrue();
    }

    @Test
    void unknownNames_areLimitedAsKnownOnesAre() {
        failFiveTimes("nobody");
        assertRefused("nobody", "wrong");
    }

    @Test
    void decisionWithinALimitedLogin_isTheSameAttempt() {
        ReactiveAuthenticationManager outer =
                new ReactiveLimitedPasswords(latchkeys(), limits, Integer.MAX_VALUE, Unseen.NONE);
        for (int i = 0; i < 5; i++) {
            Authentication wrong = given("alice", "wrong" + i);
            assertThatThrownBy(() -> from(SOMEWHERE, outer.authenticate(wrong)).block(LONG))
                    .isInstanceOf(BadCredentialsException.class);
        }
        assertThat(limits.stats().settled()).containsEntry(AttemptResult.FAILED, 5L);
        assertRefused("alice", "wrong");
    }

    @Test
    void hashWithAPermit_runsBesideALongHash() throws Exception {
        HashingPermits two = new HashingPermits(
                HashingSettings.defaults().withAtOnce(2).withMaxWait(LONG),
                WaitingThreads.atMost(1),
                time,
                GuardListener.NONE);
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(100);
        try (ReactiveHashing hashes = new ReactiveHashing(two)) {
            CompletableFuture<Boolean> runs =
                    hashes.compute(0, () -> end.await(60, TimeUnit.SECONDS)).toFuture();
            for (int i = 0; i < 100; i++) {
                hashes.compute(0, () -> "quick").subscribe(quick -> done.countDown());
            }
            assertThat(done.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            end.countDown();
            assertThat(runs.join()).isTrue();
        }
    }

    @Test
    void hashThatCannotBeDoneInTime_isAnOverloadAndNoRejection() {
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<String> first = occupied(end);
        Disposable second = later("bob", "right");
        assertThatThrownBy(() -> login("alice", "right"))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(Kind.OVERLOAD));
        second.dispose();
        end.countDown();
        first.join();
        assertThat(login("alice", "right").isAuthenticated()).isTrue();
    }

    @Test
    void threadsThatAreClosed_areAnOutageAndNoRejection() {
        hashing.close();
        assertThatThrownBy(() -> login("alice", "right"))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(Kind.OUTAGE));
    }

    /** As a gateway does before a slow store answers. */
    @Test
    void callerThatGoesAwayBeforeTheAccountIsFound_hasTriedNoPassword() {
        for (int i = 0; i < 7; i++) {
            ReactiveAuthenticationManager slow = new ReactiveLimitedPasswords(
                    accountsOf(name -> Mono.never()), limits, Integer.MAX_VALUE, Unseen.NONE);
            from(SOMEWHERE, slow.authenticate(given("alice", "right")))
                    .subscribe()
                    .dispose();
        }
        assertThat(login("alice", "right").getName()).isEqualTo("alice");
    }

    /** The attempt is used up: otherwise a caller could try passwords without end, and watch which takes longer. */
    @ParameterizedTest
    @ValueSource(strings = {"bob", "nobody", "refused"})
    void callerThatGoesAwayWhileInLine_isNotHashedFor_andHasTriedAPassword(String name) {
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<String> first = occupied(end);
        later(name, "right").dispose();
        assertThat(permits.stats().abandoned()).isEqualTo(1);
        assertThat(limits.stats().settled()).containsEntry(AttemptResult.FAILED, 1L);
        assertThat(limits.stats().contended()).isZero();
        end.countDown();
        first.join();
        assertThat(login("carol", "right").getName()).isEqualTo("carol");
        assertThat(recorder.calls).hasSize(1);
    }

    @Test
    void outdatedHash_isReplacedAfterTheAnswer_onTheThreadForIt() throws Exception {
        recorder.outdated = true;
        CountDownLatch stored = new CountDownLatch(1);
        try (PasswordUpgrade upgrade = PasswordUpgrade.of(encoder, (account, expected, replacement) -> {
            stored.countDown();
            return account.equals("alice");
        })) {
            later = upgrade;
            upgrades = (user, hash) -> Mono.error(new AssertionError("within the login"));
            assertThatThrownBy(() -> login("argon", "wrong")).isInstanceOf(BadCredentialsException.class);
            assertThatThrownBy(() -> login("expired", "right")).isInstanceOf(CredentialsExpiredException.class);
            assertThat(login("alice", "right").getName()).isEqualTo("alice");
            assertThat(stored.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(recorder.calls).filteredOn("encode"::equals).hasSize(1);
        assertThat(recorder.threads.get(recorder.calls.indexOf("encode"))).isEqualTo("latchkey-password-upgrade");
    }

    @Test
    void withoutPermits_hashesAreWhereSpringSecurityHasThem() {
        new ReactiveServiceAccounts(
                        ReactiveServiceAccountsTest::account,
                        TestLoginEncoders.around(recorder, cache, null, null),
                        new ReactiveHashing(null),
                        null,
                        null,
                        null)
                .authenticate(given("alice", "right"))
                .block(LONG);
        assertThat(recorder.threads).singleElement().asString().startsWith("boundedElastic-");
    }

    private void failFiveTimes(String name) {
        for (int i = 0; i < 5; i++) {
            String wrong = "wrong" + i;
            assertThatThrownBy(() -> login(name, wrong)).isInstanceOf(BadCredentialsException.class);
        }
    }

    private void assertRefused(String name, String password) {
        assertThatThrownBy(() -> login(name, password))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(Kind.THROTTLED));
    }

    /** Something that has the only permit until this latch is down. */
    private CompletableFuture<String> occupied(CountDownLatch end) {
        return permits.submit(
                0,
                false,
                () -> {
                    end.await();
                    return "hashed";
                },
                hash -> new Thread(hash, "occupied").start());
    }

    private Disposable later(String name, String password) {
        return from(SOMEWHERE, latchkeys().authenticate(given(name, password))).subscribe();
    }

    private Authentication login(String name, String password) {
        return login(name, password, SOMEWHERE);
    }

    private Authentication login(String name, String password, ClientSource source) {
        return from(source, latchkeys().authenticate(given(name, password))).block(LONG);
    }

    private static Mono<Authentication> from(ClientSource source, Mono<Authentication> login) {
        return login.contextWrite(
                context -> context.put(CurrentLogin.class, CurrentRequest.from(() -> source, CurrentLogin.NONE)));
    }

    private ReactiveAuthenticationManager latchkeys() {
        return new ReactiveLimitedPasswords(
                accountsOf(ReactiveServiceAccountsTest::account), limits, Integer.MAX_VALUE, Unseen.NONE);
    }

    private ReactiveServiceAccounts accountsOf(ReactiveUserDetailsService store) {
        return new ReactiveServiceAccounts(store, encoder, hashing, upgrades, later, compromised);
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
            case "placeholder" -> Mono.just(account.password("!").build());
            case "argon" -> Mono.just(account.password(ARGON2 + "right").build());
            case "expired" -> Mono.just(account.credentialsExpired(true).build());
            default -> Mono.just(account.build());
        };
    }
}
