package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Account;
import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.InMemoryRefreshTokenStore;
import dev.latchkey.auth.InMemoryRevocationStore;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rotation, reuse, races, lifetimes, and what became of the account meanwhile. */
class RefreshableLoginsTest {

    private static final Duration ABSOLUTE = Duration.ofDays(30);
    private static final Duration IDLE = Duration.ofDays(7);
    private static final Duration ACCESS = Duration.ofHours(1);

    private final HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);
    /** Of today: the stores of revoked and of refresh tokens go by the system's clock. Half a second past, for what is rounded. */
    private Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusMillis(500);

    private final InMemoryRefreshTokenStore store = new InMemoryRefreshTokenStore(1000);
    private final InMemoryRevocationStore revocations = new InMemoryRevocationStore(ABSOLUTE);
    private final Accounts accounts = new Accounts();
    private final JwtVerifier verifier = JwtVerifier.with(key).withTimeSource(() -> now);
    private final AuthChain plugins =
            AuthChain.of(accounts, JwtAuthPlugin.of(verifier, revocations)).withClock(() -> now);
    private final AccessTokens accessTokens = new AccessTokens(
            JwtSigner.with(key).withTimeSource(() -> now),
            new LatchkeyProperties.Jwt(true, null, null, List.of(), Duration.ZERO, null, null, ACCESS));
    private final RefreshableLogins logins = new RefreshableLogins(
            plugins,
            store,
            revocations,
            accessTokens,
            new LatchkeyProperties.Refresh(true, "/auth/refresh", ABSOLUTE, IDLE, 1000),
            () -> now);
    private final TokenLogin login = new TokenLogin(plugins, accessTokens, revocations, () -> now, logins);

    @Test
    void refresh_givesNewTokens_andTheAccountsPresentAuthorities() {
        IssuedTokens first = login();
        accounts.authorities = Set.of("ROLE_ADMIN");
        now = now.plusSeconds(60);
        IssuedTokens second = logins.refresh(text(first)).orElseThrow();
        assertThat(text(second)).isNotEqualTo(text(first));
        assertThat(subjectOf(first).authorities()).containsExactly("ROLE_USER");
        assertThat(subjectOf(second).authorities()).containsExactly("ROLE_ADMIN");
        assertThat(logins.refresh(text(second))).isPresent();
        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void tokenThatComesTwice_endsTheWholeLogin_andItsAccessTokens() {
        IssuedTokens stolen = login();
        IssuedTokens other = login();
        IssuedTokens thiefs = logins.refresh(text(stolen)).orElseThrow();
        IssuedTokens thiefsNext = logins.refresh(text(thiefs)).orElseThrow();
        assertThat(isAccepted(thiefs)).isTrue();
        assertThat(logins.refresh(text(stolen))).isEmpty();
        assertThat(logins.refresh(text(thiefsNext))).isEmpty();
        for (IssuedTokens tokens : List.of(stolen, thiefs, thiefsNext)) {
            assertThat(isAccepted(tokens)).isFalse();
        }
        assertThat(isAccepted(other)).isTrue();
        assertThat(logins.refresh(text(other))).isPresent();
    }

    @Test
    void ofParallelRefreshesOfOneToken_oneSucceeds_andTheLoginEnds() throws Exception {
        int threads = 8;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < 50; round++) {
                String token = text(login());
                CountDownLatch start = new CountDownLatch(1);
                List<Future<Optional<IssuedTokens>>> answers = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    answers.add(pool.submit(() -> {
                        start.await();
                        return logins.refresh(token);
                    }));
                }
                start.countDown();
                List<IssuedTokens> issued = new ArrayList<>();
                for (Future<Optional<IssuedTokens>> answer : answers) {
                    answer.get().ifPresent(issued::add);
                }
                assertThat(issued).hasSize(1);
                assertThat(store.size()).isZero();
                assertThat(issued)
                        .allSatisfy(tokens ->
                                assertThat(logins.refresh(text(tokens))).isEmpty());
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void idleLogin_endsAtItsIdleLifetime_andNotBefore() {
        IssuedTokens first = login();
        now = now.plus(IDLE).minusMillis(1);
        IssuedTokens second = logins.refresh(text(first)).orElseThrow();
        now = now.plus(IDLE);
        assertThat(logins.refresh(text(second))).isEmpty();
        assertThat(store.size()).isZero();
    }

    @Test
    void busyLogin_endsAtItsAbsoluteLifetime_andNoAccessTokenOutlivesIt() {
        Instant end = now.plus(ABSOLUTE);
        IssuedTokens tokens = login();
        while (now.plus(IDLE).isBefore(end)) {
            now = now.plus(IDLE).minusSeconds(1);
            tokens = logins.refresh(text(tokens)).orElseThrow();
        }
        now = end.minusSeconds(10);
        tokens = logins.refresh(text(tokens)).orElseThrow();
        assertThat(tokens.access().lifetime()).isEqualTo(Duration.ofSeconds(10));
        now = end;
        assertThat(logins.refresh(text(tokens))).isEmpty();
    }

    @Test
    void accountThatMayNotLogInAnyMore_isRefused_andItsLoginEnded() {
        IssuedTokens tokens = login();
        accounts.state = Rejected.because(RejectionReason.ACCOUNT_DISABLED);
        assertThat(logins.refresh(text(tokens))).isEmpty();
        accounts.state = null;
        assertThat(logins.refresh(text(tokens))).isEmpty();
        assertThat(isAccepted(tokens)).isFalse();
    }

    @Test
    void deletedAccount_isRefused() {
        IssuedTokens tokens = login();
        accounts.known = false;
        assertThat(logins.refresh(text(tokens))).isEmpty();
    }

    @Test
    void changedPassword_isRefused() {
        IssuedTokens tokens = login();
        tokens = logins.refresh(text(tokens)).orElseThrow();
        accounts.stamp = "another hash";
        assertThat(logins.refresh(text(tokens))).isEmpty();
    }

    @Test
    void revokedSubject_isRefused_andALoginInTheSameSecondIsNot() {
        IssuedTokens before = login();
        plugins.revokeAll("alice", now);
        IssuedTokens after = login();
        assertThat(logins.refresh(text(before))).isEmpty();
        IssuedTokens next = logins.refresh(text(after)).orElseThrow();
        now = now.plusSeconds(1);
        assertThat(isAccepted(next)).isTrue();
    }

    @Test
    void outage_refusesNobodyForGood() {
        IssuedTokens tokens = login();
        accounts.down = true;
        assertThatThrownBy(() -> logins.refresh(text(tokens))).isInstanceOf(AuthUnavailableException.class);
        accounts.down = false;
        assertThat(logins.refresh(text(tokens))).isPresent();
    }

    @Test
    void accountThatCannotBeLookedUp_getsNoRefreshToken() {
        accounts.known = false;
        IssuedTokens tokens = login();
        assertThat(tokens.refresh()).isEmpty();
        assertThat(isAccepted(tokens)).isTrue();
    }

    @Test
    void passwordThatChangesDuringEachCheck_makesTheRefreshTokenWorthless() {
        accounts.duringTheCheck = () -> accounts.stamp = accounts.stamp.concat(" changed");
        assertThat(logins.refresh(text(login()))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    void whatIsNoRefreshToken_isRefused(String token) {
        assertThat(logins.refresh(token)).isEmpty();
        assertThat(RefreshToken.parse(token + "=")).isEmpty();
        assertThat(RefreshToken.parse(token + "\u00e9")).isEmpty();
    }

    @Test
    void forgedTokenOfAKnownLogin_endsThatLoginOnly() {
        String token = text(login());
        String forged = token.substring(0, 40) + "A".repeat(24);
        assertThat(logins.refresh(forged)).isEmpty();
        assertThat(logins.refresh(token)).isEmpty();
    }

    @Test
    void logout_endsTheLoginByEitherToken() {
        TokenRevocation revocation = new TokenRevocation(plugins, verifier, logins);
        IssuedTokens one = login();
        revocation.revoke(one.access().value());
        IssuedTokens two = login();
        revocation.revoke(text(two));
        for (IssuedTokens tokens : List.of(one, two)) {
            assertThat(isAccepted(tokens)).isFalse();
            assertThat(logins.refresh(text(tokens))).isEmpty();
        }
        revocation.revoke(one.access().value() + "x");
        revocation.revoke("\ud800");
    }

    @Test
    void store_holdsNoTokenAndNoHashOfAPassword() {
        IssuedTokens tokens = login();
        RefreshToken token = tokens.refresh().orElseThrow();
        String stored = store.find(token.familyId()).orElseThrow().toString();
        assertThat(stored)
                .doesNotContain(
                        token.text(),
                        token.text().substring(0, 21),
                        token.text().substring(22));
        assertThat(stored).doesNotContain(accounts.stamp);
        assertThat(token.toString()).isEqualTo("RefreshToken[****]");
    }

    private IssuedTokens login() {
        return login.login(new PasswordCredentials("alice", Secret.of("secret")))
                .orElseThrow();
    }

    private boolean isAccepted(IssuedTokens tokens) {
        return plugins.authenticate(BearerToken.of(tokens.access().value())) instanceof Authenticated;
    }

    private Subject subjectOf(IssuedTokens tokens) {
        return ((Authenticated)
                        plugins.authenticate(BearerToken.of(tokens.access().value())))
                .subject();
    }

    private static String text(IssuedTokens tokens) {
        return tokens.refresh().orElseThrow().text();
    }

    private static final class Accounts implements AuthPlugin {

        private volatile Set<String> authorities = Set.of("ROLE_USER");
        private volatile String stamp = "a password's hash";
        private volatile Rejected state;
        private volatile boolean known = true;
        private volatile boolean down;
        private volatile Runnable duringTheCheck = () -> {};

        @Override
        public String name() {
            return "accounts";
        }

        @Override
        public Decision authenticate(Credentials credentials) {
            if (!(credentials instanceof PasswordCredentials)) {
                return Decision.abstained();
            }
            duringTheCheck.run();
            return success();
        }

        @Override
        public Optional<Account> account(String name) {
            if (down) {
                throw AuthUnavailableException.outage("connection refused");
            }
            return known
                    ? Optional.of(new Account(Objects.requireNonNullElseGet(state, this::success), Secret.of(stamp)))
                    : Optional.empty();
        }

        private Authenticated success() {
            return Authenticated.as(Subject.of("alice").withAuthorities(authorities));
        }
    }
}
