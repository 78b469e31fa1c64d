package dev.latchkey.auth.spring;

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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Logins with refresh tokens over one account, whose state and whose time a test sets. */
final class RefreshScene {

    static final Duration ABSOLUTE = Duration.ofDays(30);
    static final Duration IDLE = Duration.ofDays(7);
    private static final Duration ACCESS = Duration.ofHours(1);

    private final HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);

    /** Of today: the stores of revoked and of refresh tokens go by the system's clock. Half a second past, for what is rounded. */
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusMillis(500);

    final InMemoryRefreshTokenStore store = new InMemoryRefreshTokenStore(1000);
    private final InMemoryRevocationStore revocations = new InMemoryRevocationStore(ABSOLUTE);
    final Accounts accounts = new Accounts();
    final JwtVerifier verifier = JwtVerifier.with(key).withTimeSource(() -> now);
    final AuthChain plugins =
            AuthChain.of(accounts, JwtAuthPlugin.of(verifier, revocations)).withClock(() -> now);
    private final AccessTokens accessTokens = new AccessTokens(
            JwtSigner.with(key).withTimeSource(() -> now),
            new LatchkeyProperties.Jwt(true, null, null, List.of(), Duration.ZERO, null, null, ACCESS));
    final RefreshableLogins logins = new RefreshableLogins(
            plugins,
            store,
            revocations,
            accessTokens,
            new LatchkeyProperties.Refresh(true, "/auth/refresh", ABSOLUTE, IDLE, 1000),
            () -> now);
    private final TokenLogin login = new TokenLogin(plugins, accessTokens, revocations, () -> now, logins);

    IssuedTokens login() {
        return login.login(new PasswordCredentials("alice", Secret.of("secret")))
                .orElseThrow();
    }

    boolean isAccepted(IssuedTokens tokens) {
        return plugins.authenticate(BearerToken.of(tokens.access().value())) instanceof Authenticated;
    }

    Subject subjectOf(IssuedTokens tokens) {
        return ((Authenticated)
                        plugins.authenticate(BearerToken.of(tokens.access().value())))
                .subject();
    }

    static String text(IssuedTokens tokens) {
        return tokens.refresh().orElseThrow().text();
    }

    static final class Accounts implements AuthPlugin {

        volatile Set<String> authorities = Set.of("ROLE_USER");
        volatile String stamp = "a password's hash";
        volatile Rejected state;
        volatile boolean known = true;
        volatile boolean down;
        volatile Runnable duringTheCheck = () -> {};

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
