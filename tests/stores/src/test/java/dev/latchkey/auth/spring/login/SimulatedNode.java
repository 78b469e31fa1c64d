package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.login.TokenRevocation.Outcome;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A node: the starter's classes as a service has them, over stores and clocks of a simulator. */
public final class SimulatedNode {

    /**
     * What a login or a refresh is answered with.
     *
     * @param refresh empty where the account was full
     */
    public record Answer(String refresh, String access) {

        public boolean isFull() {
            return refresh.isEmpty();
        }
    }

    private static final HmacKey KEY = HmacKey.generate(HmacAlgorithm.HS256);

    private final LocalRevocations copy;
    private final Supplier<StoreTime> requestTime;
    private final InstantSource clock;
    private final AccountLogins account;
    private final AuthChain plugins;
    private final AccessTokens accessTokens;
    private final RefreshableLogins logins;
    private final RevokedSecond revokedSecond;

    /**
     * A node that starts now.
     *
     * @param revocations the copy, or what a fault puts before it
     */
    public SimulatedNode(
            InstantSource clock,
            LoginStore loginStore,
            LocalRevocations copy,
            RevocationStore revocations,
            LatchkeyProperties properties,
            Supplier<StoreTime> requestTime,
            Consumer<Duration> pause) {
        this.clock = clock;
        this.copy = copy;
        this.requestTime = requestTime;
        this.account = AccountLogins.of(loginStore, revocations, properties, null, null, List.of(), clock);
        JwtVerifier verifier = JwtVerifier.with(KEY).withTimeSource(clock);
        JwtSigner signer = JwtSigner.with(KEY).withGeneratedIds().withTimeSource(clock);
        this.accessTokens =
                new AccessTokens(signer, verifier, revocations, properties.jwt(), List.of(), (token, jwt) -> true);
        this.plugins = AuthChain.of(List.of(new Accounts(), JwtAuthPlugin.of(verifier, revocations)), clock);
        this.logins = RefreshableLogins.in(
                loginStore, account, plugins, accessTokens, properties.login().refresh(), clock);
        this.revokedSecond = new RevokedSecond(clock, pause);
    }

    public Optional<Answer> login(String subject) {
        TokenLogin login = new TokenLogin(plugins, accessTokens, clock, revokedSecond, logins);
        return request(() -> login.login(new PasswordCredentials(subject, Secret.of("secret")), RequestContext.none())
                .map(outcome -> outcome instanceof IssuedTokens tokens ? answer(tokens) : new Answer("", "")));
    }

    public Optional<Answer> refresh(String token) {
        return request(() -> logins.refresh(token).map(SimulatedNode::answer));
    }

    /** Does the work with one time for all calls of stores, as the filter of a service does. */
    private <T> T request(Supplier<T> work) {
        CurrentLogin before = requestTime.get().in(CurrentLogin.NONE).bind();
        try {
            return work.get();
        } finally {
            before.bind();
        }
    }

    private static Answer answer(IssuedTokens tokens) {
        return new Answer(tokens.refresh().orElseThrow().text(), tokens.access().value());
    }

    /** Logs out by a token of either kind. */
    public void logOut(String token) {
        TokenRevocation revocation = new TokenRevocation(plugins, accessTokens, logins, Duration.ofDays(30));
        boolean isRevoked = request(() -> revocation.revoke(token)) != Outcome.OF_ANOTHER_CLIENT;
        if (!isRevoked) {
            throw new IllegalStateException("There are no other clients");
        }
    }

    public void end(String id, String subject) {
        request(() -> {
            logins.end(id, subject);
            return true;
        });
    }

    public void revokeAll(String subject) {
        request(() -> {
            account.revokeAll(subject);
            return true;
        });
    }

    /** The ids of an account's logins. */
    public List<String> list(String subject) {
        return request(() -> account.of(subject)).stream().map(StoredLogin::id).toList();
    }

    public boolean accepts(String access) {
        return request(() -> plugins.authenticate(BearerToken.of(access)) instanceof Authenticated);
    }

    /** Brings the copy of revocations up to date. */
    public void read() {
        copy.refresh();
    }

    public static String idOf(String token) {
        return RefreshToken.parse(token).orElseThrow().sessionId();
    }

    /** Each client has an account with a constant password. */
    private static final class Accounts implements LoginSource<PasswordCredentials> {

        private static final Secret STAMP = Secret.of("a password's hash");

        @Override
        public String name() {
            return "accounts";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return Authenticated.as(Subject.of(credentials.username())).withStamp(STAMP);
        }

        @Override
        public Optional<Verdict> account(String name) {
            return Optional.of(Authenticated.as(Subject.of(name)).withStamp(STAMP));
        }
    }
}
