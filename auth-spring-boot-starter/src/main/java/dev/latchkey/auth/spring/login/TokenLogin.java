package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges credentials, usually a name and a password, for an access token, and for a refresh token if there are {@link
 * RefreshableLogins}. If a plugin needs another step, the outcome names the step, and {@link #goOn} continues with the response.
 * Safe for use by any number of threads.
 *
 * <p>The password may change during the login. A token counts as issued at the start of its login, so a revocation during the
 * login covers the token. The first check may have seen the old password. So after a revocation in the same second, the login
 * starts again at the end of the second ({@link RevokedSecond}).
 *
 * <p>A refresh token belongs to the checked password, and the plugin's stamp identifies the password. If the account has another
 * stamp afterwards, either the password was changed, or the login itself replaced an outdated hash. A second check of the
 * password decides. If the stamp changes again, the session gets no refresh token. One comparison is enough: a refresh compares
 * the stamps too, so a password changed after the comparison ends the session at its first refresh.
 */
public final class TokenLogin {

    private final AuthChain plugins;
    private final AccessTokens accessTokens;
    private final RevocationStore revocations;
    private final RevokedSecond revokedSecond;
    private final LoginSteps steps;
    private final @Nullable RefreshableLogins refreshable;
    private final String client;

    TokenLogin(
            AuthChain plugins,
            AccessTokens accessTokens,
            InstantSource clock,
            RevokedSecond revokedSecond,
            @Nullable RefreshableLogins refreshable) {
        this(
                plugins,
                accessTokens,
                revokedSecond,
                new LoginSteps(plugins, accessTokens.revocations(), new OpenChallenges(clock)),
                refreshable,
                "");
    }

    private TokenLogin(
            AuthChain plugins,
            AccessTokens accessTokens,
            RevokedSecond revokedSecond,
            LoginSteps steps,
            @Nullable RefreshableLogins refreshable,
            String client) {
        this.plugins = plugins;
        this.accessTokens = accessTokens;
        this.revocations = accessTokens.revocations();
        this.revokedSecond = revokedSecond;
        this.steps = steps;
        this.refreshable = refreshable;
        this.client = client;
    }

    /**
     * The same for a registered client. Only this client may continue its logins and use their refresh tokens (RFC 6749 section 6).
     *
     * @param id of the client, authenticated; empty for none
     * @return shares everything else with this object
     */
    public TokenLogin ofClient(String id) {
        return new TokenLogin(plugins, accessTokens, revokedSecond, steps, refreshable, id);
    }

    /**
     * Begins a login.
     *
     * @param credentials for the plugins, in their order
     * @param context the request of the credentials
     * @return the outcome; empty if the credentials are rejected, whatever the reason
     * @throws AuthUnavailableException if no decision was reached
     */
    public Optional<LoginOutcome> login(Credentials credentials, RequestContext context) {
        return begin(credentials, context, TokenOptions.defaults());
    }

    /**
     * Begins a login with the client's wish to be remembered. The service's {@link TokenCustomizer} decides the effect.
     *
     * @param credentials for the plugins, in their order
     * @param context the request of the credentials
     * @return as {@link #login}
     * @throws AuthUnavailableException if no decision was reached
     */
    public Optional<LoginOutcome> loginAndRemember(Credentials credentials, RequestContext context) {
        return begin(credentials, context, TokenOptions.defaults().rememberingMe());
    }

    /**
     * Issues tokens for a login decided elsewhere, or asks for its missing steps.
     *
     * @param look finds the current login; empty if the account is not active. Called again after a wait
     * @param at the start of that login, or earlier: a later revocation covers the login
     * @param proved methods of steps that are not asked again
     */
    Optional<LoginOutcome> issueFor(
            Supplier<Optional<Authenticated>> look,
            Instant at,
            Set<String> proved,
            RequestContext context,
            TokenOptions options) {
        return afterItsSecond(
                () -> look.get()
                        .filter(login ->
                                !revocations.isSubjectRevoked(login.subject().id(), at))
                        .map(login -> compared(plugins.outsideLogins().complete(login, proved, context))),
                context,
                options);
    }

    private Optional<LoginOutcome> begin(Credentials credentials, RequestContext context, TokenOptions options) {
        if (credentials instanceof IssuedCredentials) {
            // Tokens issued for a token would survive the end of the session, and would not name the acting account.
            return Optional.empty();
        }
        return afterItsSecond(
                () -> {
                    Compared once = compared(plugins.authenticate(credentials, context));
                    return Optional.of(
                            once.hasOtherStamp() ? compared(plugins.authenticate(credentials, context)) : once);
                },
                context,
                options.ofClient(client));
    }

    private Optional<LoginOutcome> afterItsSecond(
            Supplier<Optional<Compared>> decision, RequestContext context, TokenOptions options) {
        return StoreTime.inOneRequest(() -> revokedSecond.decide(
                decision,
                decided ->
                        subjectOf(decided.verdict()).map(revocations::notBefore).orElse(Instant.MIN),
                (decided, begun) -> outcome(decided, begun, context, options)));
    }

    private static Optional<String> subjectOf(Verdict verdict) {
        if (verdict instanceof Challenged challenged) {
            return Optional.of(challenged.soFar().subject().id());
        }
        return verdict instanceof Authenticated login
                ? Optional.of(login.subject().id())
                : Optional.empty();
    }

    private Optional<LoginOutcome> outcome(
            Compared decided, Instant begun, RequestContext context, TokenOptions options) {
        if (decided.verdict() instanceof Challenged challenged) {
            // Before the step, because the step uses up a code.
            boolean isFull = refreshable != null && !options.areOfOneToken() && refreshable.isFull(challenged.soFar());
            return Optional.of(isFull ? AccountFull.ACCOUNT_FULL : steps.open(challenged, begun, context, options));
        }
        return decided.verdict() instanceof Authenticated login
                ? issue(login, decided.stamp(), begun, context, options)
                : Optional.empty();
    }

    /**
     * The extension grants of the plugins.
     *
     * @return values of {@code grant_type}; unmodifiable
     */
    public Set<String> grantTypes() {
        return plugins.readers().grantTypes();
    }

    /**
     * Reads a grant of a plugin's own kind.
     *
     * @param grantType the value of {@code grant_type}
     * @param fields of the grant, in place of a name and a password
     * @param context the request of the grant
     * @return for {@link #login}; empty if no plugin knows the grant, and if the grant is malformed
     */
    public Optional<Credentials> read(String grantType, Map<String, Secret> fields, RequestContext context) {
        return plugins.readers().of(grantType, fields, context);
    }

    /**
     * Continues a login with the response to a step.
     *
     * @param continuation from {@link NextStep#continuation()}; invalid afterwards. After an outage or at a full account, valid
     *     for the same response
     * @param response the client's response, a code for example
     * @param context the request, with the client IP and the tenant of the first request
     * @return the outcome; empty if the continuation or the response is rejected, whatever the reason
     * @throws AuthUnavailableException if no decision was reached
     */
    public Optional<LoginOutcome> goOn(String continuation, Map<String, Secret> response, RequestContext context) {
        return goOn(continuation, response, context, (open, login) -> Optional.empty());
    }

    /**
     * Continues as {@link #goOn} does. The plugin of the step remembers the device, if the plugin supports devices.
     *
     * @param continuation from {@link NextStep#continuation()}; invalid afterwards. After an outage or at a full account, valid
     *     for the same response
     * @param response the client's response, a code for example
     * @param context the request, with the client IP and the tenant of the first request
     * @return with {@link IssuedTokens#device} if the device is remembered; during an outage of the device store, without
     * @throws AuthUnavailableException if no decision was reached
     */
    public Optional<LoginOutcome> goOnAndRemember(
            String continuation, Map<String, Secret> response, RequestContext context) {
        return goOn(continuation, response, context, (open, login) -> steps.remember(open, login, context));
    }

    private Optional<LoginOutcome> goOn(
            String continuation,
            Map<String, Secret> response,
            RequestContext context,
            BiFunction<OpenChallenges.Open, Authenticated, Optional<RememberedDevice>> devices) {
        return steps.take(continuation, response, client, context)
                .flatMap(open -> StoreTime.inOneRequest(() -> {
                    boolean isDecided = false;
                    try {
                        Optional<LoginOutcome> outcome =
                                afterAnswer(steps.answer(open, response, context), open, context, devices);
                        isDecided = !outcome.equals(Optional.of(AccountFull.ACCOUNT_FULL));
                        return outcome;
                    } finally {
                        if (!isDecided) {
                            steps.keepAgain(open);
                        }
                    }
                }));
    }

    private Optional<LoginOutcome> afterAnswer(
            Verdict verdict,
            OpenChallenges.Open open,
            RequestContext context,
            BiFunction<OpenChallenges.Open, Authenticated, Optional<RememberedDevice>> devices) {
        if (verdict instanceof Challenged next) {
            return Optional.of(steps.openNext(next, open, context));
        }
        if (!(verdict instanceof Authenticated login) || !steps.isStillGood(login, open)) {
            return Optional.empty();
        }
        return issue(login, login.stamp(), open.startedAt(), context, open.options())
                .map(outcome -> outcome instanceof IssuedTokens tokens
                        ? devices.apply(open, login)
                                .<LoginOutcome>map(tokens::withDevice)
                                .orElse(tokens)
                        : outcome);
    }

    /**
     * A verdict, after the comparison of its stamp with the account's.
     *
     * @param stamp for a refresh token; null if the login has no stamp, or the account has another stamp by now
     */
    private record Compared(Verdict verdict, @Nullable Secret stamp) {

        boolean hasOtherStamp() {
            return stamp == null && verdict instanceof Authenticated login && login.stamp() != null;
        }
    }

    /** Loads the account, if there are refresh tokens. */
    private Compared compared(Verdict verdict) {
        return verdict instanceof Authenticated login && (refreshable == null || refreshable.canProlong(login))
                ? new Compared(login, login.stamp())
                : new Compared(verdict, null);
    }

    private Optional<LoginOutcome> issue(
            Authenticated login,
            @Nullable Secret stamp,
            Instant issuedAt,
            RequestContext context,
            TokenOptions ofTheCall) {
        TokenOptions options = accessTokens.optionsOf(TokenContext.ofLogin(login, context, ofTheCall), ofTheCall);
        if (refreshable != null && stamp != null && !ofTheCall.areOfOneToken()) {
            return refreshable.start(login, stamp, issuedAt, context, options);
        }
        return accessTokens
                .issue(login.subject(), login.factors(), issuedAt, login.validUntil(), null, options)
                .map(access -> IssuedTokens.of(login.subject(), access, null, options));
    }
}
