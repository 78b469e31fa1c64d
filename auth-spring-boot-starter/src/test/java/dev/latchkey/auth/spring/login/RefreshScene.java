package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.Unreliable;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.account.LoginListener;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.token.RevocationReasons;
import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;

/** Logins with refresh tokens over one account; a test sets the account's state and the time. */
final class RefreshScene {

    static final Duration ABSOLUTE = Duration.ofDays(30);
    static final Duration IDLE = Duration.ofDays(7);
    private final HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);

    /** Of today: the stores of revoked and of refresh tokens go by the system's clock. Half a second past, for what is rounded. */
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusMillis(500);

    final InMemoryLoginStore store = new InMemoryLoginStore(1000);
    final InMemoryRevocationStore revoked = new InMemoryRevocationStore(ABSOLUTE);

    /** While set, the store of logins forgets and replaces nothing; with the other one it answers no question at all. */
    volatile boolean loginsCannotBeWritten;

    volatile boolean loginsAreDown;

    /** While set, a login is kept and its start is not acknowledged. */
    volatile boolean startsAreUnanswered;

    /** Run before the store of logins is asked, with the method's name. */
    volatile Consumer<String> beforeLoginsAreAsked = method -> {};

    /** What the store of logins was asked for. */
    final List<String> askedOfLogins = new CopyOnWriteArrayList<>();

    /** Run before the store of revocations is asked, with the method's name. */
    volatile Consumer<String> beforeRevocationsAreAsked = method -> {};

    volatile boolean revocationsAreDown;
    volatile boolean revocationsCannotBeWritten;

    /** How long each call of a store might take. */
    final List<Duration> given = new CopyOnWriteArrayList<>();

    final LoginStore loginStore = Unreliable.around(
            LoginStore.class,
            store,
            method -> {
                askedOfLogins.add(method);
                beforeLoginsAreAsked.accept(method);
                return loginsAreDown || (loginsCannotBeWritten && !method.equals("find"));
            },
            method -> startsAreUnanswered && method.equals("start"),
            given::add);
    static final Duration RACE = Duration.ofSeconds(5);
    private final LatchkeyProperties properties;

    final RevocationStore revocations = Unreliable.around(
            RevocationStore.class,
            revoked,
            method -> {
                beforeRevocationsAreAsked.accept(method);
                return revocationsAreDown || (revocationsCannotBeWritten && method.startsWith("revoke"));
            },
            method -> false,
            given::add);

    final Accounts accounts;

    /** The name of the device from which the next logins come. */
    volatile @Nullable String device;

    final AccountLogins account;

    /** What listeners were told. */
    final List<String> events = new CopyOnWriteArrayList<>();

    private final LoginListener told = new LoginListener() {
        @Override
        public void ended(String subjectId, Cause cause) {
            events.add(subjectId + " " + cause);
        }

        @Override
        public void refused(String subjectId) {
            events.add(subjectId + " refused");
        }
    };
    final JwtVerifier verifier = JwtVerifier.with(key).withTimeSource(() -> now);
    final AuthChain plugins;
    final JwtSigner signer = JwtSigner.with(key).withGeneratedIds().withTimeSource(() -> now);

    /** What each access token says besides. */
    volatile Supplier<Map<String, Object>> claims = Map::of;

    final AccessTokens accessTokens = new AccessTokens(
            signer,
            verifier,
            revocations,
            propertiesOf(List.of()).jwt(),
            List.of((login, options) -> {
                TokenOptions all = options;
                for (Map.Entry<String, ?> claim : claims.get().entrySet()) {
                    all = all.withClaim(claim.getKey(), claim.getValue());
                }
                return all;
            }),
            (token, jwt) -> true);
    final RefreshableLogins logins;
    final TokenRevocation revocation;
    private final TokenLogin login;

    /** A service with these plugins before the one that has the accounts. */
    RefreshScene(AuthPlugin... first) {
        this(RACE, first);
    }

    RefreshScene(Duration raceWindow, AuthPlugin... first) {
        this(List.of("latchkey.login.refresh.race-window=" + raceWindow.toMillis() + "ms"), first);
    }

    /** @param settings under {@code latchkey} */
    RefreshScene(List<String> settings, AuthPlugin... first) {
        properties = propertiesOf(settings);
        accounts = new Accounts("accounts");
        account = accountWith(null);
        List<AuthPlugin> all = new ArrayList<>(List.of(first));
        all.add(accounts);
        all.add(JwtAuthPlugin.of(verifier, revocations));
        plugins = AuthChain.of(all, () -> now);
        logins = loginsWith(plugins);
        RevokedSecond revokedSecond = new RevokedSecond(() -> now, pause -> now = now.plus(pause));
        login = new TokenLogin(plugins, accessTokens, () -> now, revokedSecond, logins);
        revocation = new TokenRevocation(plugins, accessTokens, logins, ABSOLUTE);
    }

    /** The same sessions, with a record of reasons. */
    AccountLogins tellingReasons() {
        return accountWith(new RevocationReasons(verifier, revocations, () -> now));
    }

    private AccountLogins accountWith(@Nullable RevocationReasons reasons) {
        return AccountLogins.of(
                loginStore,
                revocations,
                properties,
                request -> Optional.ofNullable(device),
                reasons,
                List.of(told),
                () -> now);
    }

    /** The same logins, as a service with other plugins has them after its next start. */
    RefreshableLogins loginsWith(AuthChain chain) {
        return RefreshableLogins.in(
                loginStore, account, chain, accessTokens, properties.login().refresh(), () -> now);
    }

    static LatchkeyProperties propertiesOf(List<String> settings) {
        Map<String, String> map = new HashMap<>();
        map.put("latchkey.login.enabled", "true");
        map.put("latchkey.login.refresh.enabled", "true");
        for (String each : settings) {
            map.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        }
        ApplicationConversionService conversions = new ApplicationConversionService();
        conversions.addConverter(String.class, Secret.class, Secret::of);
        return new Binder(List.of(new MapConfigurationPropertySource(map)), null, conversions)
                .bindOrCreate("latchkey", LatchkeyProperties.class);
    }

    IssuedTokens login() {
        return (IssuedTokens) tryLogin();
    }

    /** What comes of a login with the right password. */
    LoginOutcome tryLogin() {
        return tryLogin(new PasswordCredentials("alice", Secret.of("secret"))).orElseThrow();
    }

    Optional<LoginOutcome> tryLogin(Credentials credentials) {
        return login.login(credentials, RequestContext.from("192.0.2.7"));
    }

    boolean isAccepted(IssuedTokens tokens) {
        return plugins.authenticate(BearerToken.of(tokens.access().value())) instanceof Authenticated;
    }

    Subject subjectOf(IssuedTokens tokens) {
        return verdictOf(tokens).subject();
    }

    Authenticated verdictOf(IssuedTokens tokens) {
        return (Authenticated)
                plugins.authenticate(BearerToken.of(tokens.access().value()));
    }

    static String text(IssuedTokens tokens) {
        return tokens.refresh().orElseThrow().text();
    }

    static final class Accounts implements LoginSource<PasswordCredentials> {

        private final String name;
        volatile Set<String> authorities = Set.of("ROLE_USER");
        volatile String stamp = "a password's hash";
        volatile Rejected state;
        volatile boolean known = true;
        volatile boolean down;
        volatile Runnable duringTheCheck = () -> {};
        volatile boolean decides = true;
        volatile @Nullable Instant created;

        Accounts(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Class<PasswordCredentials> kind() {

            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            if (!decides) {
                return Decision.abstained();
            }
            Authenticated success = known ? success().withStamp(Secret.of(stamp)) : success();
            duringTheCheck.run();
            return success;
        }

        @Override
        public Optional<Verdict> account(String name) {
            if (down) {
                throw AuthUnavailableException.outage("connection refused");
            }
            if (!known) {
                return Optional.empty();
            }
            Verdict present = Objects.requireNonNullElseGet(state, this::success);
            return Optional.of(present instanceof Authenticated login ? login.withStamp(Secret.of(stamp)) : present);
        }

        private Authenticated success() {
            Authenticated success = Authenticated.as(Subject.of("alice").withAuthorities(authorities));
            return created == null ? success : success.withCreated(created);
        }
    }
}
