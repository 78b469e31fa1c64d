package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.account.LoginListener;
import dev.latchkey.auth.spring.account.OwnLogins;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of a service that decide about logins and tokens, without Spring, for tests of other packages. */
public final class LoginParts {

    private Instant now = Instant.now();
    private final LatchkeyProperties properties;
    private final AuthChain plugins;
    private final @Nullable RefreshableLogins refreshable;
    private final TokenLogin login;
    private final TokenRevocation revocation;
    private final TokenInspection inspection;
    private final OwnLogins own;
    private final TokenIssuer issuer;
    private final AccessTokens tokens;

    /** What the listener was told. */
    private final List<String> events = new ArrayList<>();

    /**
     * @param settings as in a file of properties, with refresh tokens unless they are switched off
     * @param all the plugins besides the plugin of tokens; the accounts of {@code users} keep their ids
     */
    public LoginParts(List<String> settings, TokenCustomizer customizer, AuthPlugin... all) {
        properties = RefreshScene.propertiesOf(settings);
        HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);
        JwtVerifier verifier = JwtVerifier.with(key).withTimeSource(() -> now);
        RevocationStore revocations = new InMemoryRevocationStore(Duration.ofDays(30));
        List<AuthPlugin> ordered = new ArrayList<>(List.of(all));
        ordered.add(JwtAuthPlugin.of(verifier, revocations));
        plugins = AuthChain.of(ordered, () -> now).withSharedSubjects(Set.of("users"));
        tokens = new AccessTokens(
                JwtSigner.with(key).withGeneratedIds().withTimeSource(() -> now),
                verifier,
                revocations,
                properties.jwt(),
                List.of(customizer),
                (token, jwt) -> true);
        InMemoryLoginStore store = new InMemoryLoginStore(1000);
        AccountLogins logins = AccountLogins.of(
                store,
                revocations,
                properties,
                request -> request.header("X-Device").stream().findFirst(),
                null,
                List.of(),
                () -> now);
        refreshable = properties.login().refresh().enabled()
                ? RefreshableLogins.in(
                        store, logins, plugins, tokens, properties.login().refresh(), () -> now)
                : null;
        RevokedSecond revokedSecond = new RevokedSecond(() -> now, pause -> now = now.plus(pause));
        login = new TokenLogin(plugins, tokens, () -> now, revokedSecond, refreshable);
        revocation = new TokenRevocation(plugins, tokens, refreshable, properties.longestLifetime());
        inspection = new TokenInspection(plugins, tokens, refreshable);
        own = new OwnLogins(tokens::read, logins);
        issuer = new TokenIssuer(login, plugins, () -> now);
    }

    /** Properties of a service with refresh tokens. */
    public static LatchkeyProperties propertiesOf(String... settings) {
        return RefreshScene.propertiesOf(List.of(settings));
    }

    /** Has time pass. */
    public void pass(Duration time) {
        now = now.plus(time);
    }

    public LatchkeyProperties properties() {
        return properties;
    }

    public AuthChain plugins() {
        return plugins;
    }

    public @Nullable RefreshableLogins refreshable() {
        return refreshable;
    }

    public TokenLogin login() {
        return login;
    }

    public TokenRevocation revocation() {
        return revocation;
    }

    public TokenInspection inspection() {
        return inspection;
    }

    public OwnLogins own() {
        return own;
    }

    public TokenIssuer issuer() {
        return issuer;
    }

    public ActingTokens acting(ActingRule rule) {
        return new ActingTokens(
                plugins,
                tokens,
                rule,
                new LoginListener() {
                    @Override
                    public void acting(String actor, String account) {
                        events.add(actor + " as " + account);
                    }
                },
                () -> now);
    }

    public List<String> events() {
        return events;
    }

    public StepUp stepUp() {
        return new StepUp(plugins, tokens, () -> now);
    }
}
