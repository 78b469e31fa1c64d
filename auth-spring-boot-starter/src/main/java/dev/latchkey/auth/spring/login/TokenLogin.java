package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginGrant;
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
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges credentials, mostly a name and a password, for a token, and for a refresh token where there are {@link RefreshableLogins}. Where a plugin
 * wants another step, it says which, and goes on with the response. Safe for use by any number of threads.
 *
 * <p>The hard part is a password that changes meanwhile. A token counts as issued when its login began, so that a revocation between then and now
 * covers it. The first check may have seen the old password. So after a revocation in the same second the login begins once more when that second is
 * over ({@link RevokedSecond}).
 *
 * <p>A refresh token belongs to the password that was checked: the plugin says by a stamp which one that was. Where the account has another stamp by
 * now, the password was changed, or the login itself has replaced an outdated hash. Only the password can tell which, so it is checked once more. If
 * that does not settle it, the login cannot be prolonged.
 */
public final class TokenLogin {

    private final AuthChain plugins;
    private final AccessTokens accessTokens;
    private final RevocationStore revocations;
    private final InstantSource clock;
    private final RevokedSecond revokedSecond;
    private final OpenChallenges challenges;
    private final @Nullable RefreshableLogins refreshable;

    TokenLogin(
            AuthChain plugins,
            AccessTokens accessTokens,
            RevocationStore revocations,
            InstantSource clock,
            RevokedSecond revokedSecond,
            @Nullable RefreshableLogins refreshable) {
        this(plugins, accessTokens, revocations, clock, revokedSecond, new OpenChallenges(clock), refreshable);
    }

    private TokenLogin(
            AuthChain plugins,
            AccessTokens accessTokens,
            RevocationStore revocations,
            InstantSource clock,
            RevokedSecond revokedSecond,
            OpenChallenges challenges,
            @Nullable RefreshableLogins refreshable) {
        this.plugins = plugins;
        this.accessTokens = accessTokens;
        this.revocations = revocations;
        this.clock = clock;
        this.revokedSecond = revokedSecond;
        this.challenges = challenges;
        this.refreshable = refreshable;
    }

    /** The same for one request, of which the stores have so much time together. */
    private TokenLogin inOneRequest() {
        StoreTime time = StoreTime.ofARequest();
        return new TokenLogin(
                plugins,
                accessTokens,
                time.of(revocations),
                clock,
                revokedSecond,
                challenges,
                refreshable == null ? null : refreshable.during(time));
    }

    /**
     * Begins a login.
     *
     * @param credentials shown to the plugins in their order
     * @param context the request that they came with
     * @return what comes of it; empty where the credentials are not accepted, whatever the reason
     * @throws AuthUnavailableException if no decision could be reached
     */
    public Optional<LoginOutcome> login(Credentials credentials, RequestContext context) {
        return inOneRequest().begin(credentials, context);
    }

    private Optional<LoginOutcome> begin(Credentials credentials, RequestContext context) {
        Instant start = clock.instant();
        Verdict verdict = check(credentials, context);
        Instant notBefore = subjectOf(verdict).map(revocations::notBefore).orElse(Instant.MIN);
        return notBefore.isAfter(start)
                ? revokedSecond.end(notBefore).flatMap(begun -> outcome(check(credentials, context), begun, context))
                : outcome(verdict, start, context);
    }

    private static Optional<String> subjectOf(Verdict verdict) {
        if (verdict instanceof Challenged challenged) {
            return Optional.of(challenged.soFar().subject().id());
        }
        return verdict instanceof Authenticated login
                ? Optional.of(login.subject().id())
                : Optional.empty();
    }

    private Optional<LoginOutcome> outcome(Verdict verdict, Instant begun, RequestContext context) {
        if (verdict instanceof Challenged challenged) {
            return Optional.of(challenges.open(challenged, begun, context));
        }
        return verdict instanceof Authenticated login ? issue(login, begun, context) : Optional.empty();
    }

    /**
     * Reads a grant that is of a plugin's own kind.
     *
     * @param grant what was sent in place of a name and a password
     * @param context the request that it came with
     * @return for {@link #login}; empty where no plugin knows the grant
     */
    public Optional<Credentials> read(LoginGrant grant, RequestContext context) {
        return plugins.read(grant, context);
    }

    /**
     * Goes on with a login of which another step was wanted.
     *
     * @param continuation from {@link NextStep#continuation()}; good for nothing afterwards, even where no decision is reached
     * @param response the caller's, a code say
     * @param context the request that it came with, from the address and the tenant of the first one
     * @return what comes of it; empty where the continuation or the response is not accepted, whatever the reason
     * @throws AuthUnavailableException if no decision could be reached
     */
    public Optional<LoginOutcome> goOn(String continuation, Map<String, Secret> response, RequestContext context) {
        return challenges
                .take(continuation, context)
                .flatMap(open -> inOneRequest().goOn(open, response, context, (login, tokens) -> tokens));
    }

    /**
     * Does what {@link #goOn} does, and has the plugin that wanted the step remember the device, if it does such a thing.
     *
     * @param continuation from {@link NextStep#continuation()}; good for nothing afterwards, even where no decision is reached
     * @param response the caller's, a code say
     * @param context the request that it came with, from the address and the tenant of the first one
     * @return with {@link IssuedTokens#device} where the device is remembered; a store that is down costs that alone
     * @throws AuthUnavailableException if no decision could be reached
     */
    public Optional<LoginOutcome> goOnAndRemember(
            String continuation, Map<String, Secret> response, RequestContext context) {
        return challenges
                .take(continuation, context)
                .flatMap(open -> inOneRequest()
                        .goOn(
                                open,
                                response,
                                context,
                                (login, tokens) -> deviceOf(open.challenge().plugin(), login, context)
                                        .map(tokens::withDevice)
                                        .orElse(tokens)));
    }

    private Optional<LoginOutcome> goOn(
            OpenChallenges.Open open,
            Map<String, Secret> response,
            RequestContext context,
            BiFunction<Authenticated, IssuedTokens, IssuedTokens> completed) {
        Verdict verdict = plugins.authenticate(new ChallengeResponse(open.challenge(), response), context);
        if (verdict instanceof Challenged next) {
            return Optional.of(challenges.open(next, open.startedAt(), context));
        }
        return verdict instanceof Authenticated login && isStillGood(login, open.startedAt())
                ? issue(login, open.startedAt(), context)
                        .map(outcome ->
                                outcome instanceof IssuedTokens tokens ? completed.apply(login, tokens) : outcome)
                : Optional.empty();
    }

    /** The code is used up and the tokens are made: a store that is down now costs no more than the code of the next login. */
    private Optional<RememberedDevice> deviceOf(String plugin, Authenticated login, RequestContext context) {
        try {
            return plugins.remember(plugin, login, context);
        } catch (AuthUnavailableException e) {
            return Optional.empty();
        }
    }

    /** Between two steps there is time to change a password, which cannot be asked for once more. */
    private boolean isStillGood(Authenticated login, Instant startedAt) {
        boolean isRevoked = revocations.isSubjectRevoked(login.subject().id(), startedAt);
        return !isRevoked && (refreshable == null || login.stamp() == null || refreshable.canProlong(login));
    }

    private Verdict check(Credentials credentials, RequestContext context) {
        Verdict verdict = plugins.authenticate(credentials, context);
        boolean isSettled = !(verdict instanceof Authenticated login)
                || refreshable == null
                || login.stamp() == null
                || refreshable.canProlong(login);
        return isSettled ? verdict : plugins.authenticate(credentials, context);
    }

    private Optional<LoginOutcome> issue(Authenticated login, Instant issuedAt, RequestContext context) {
        Secret stamp = login.stamp();
        if (refreshable != null && stamp != null && refreshable.canProlong(login)) {
            return refreshable.start(login, stamp, issuedAt, context);
        }
        return accessTokens
                .issue(login.subject(), login.factors(), issuedAt, login.validUntil(), null)
                .map(access -> new IssuedTokens(login.subject(), access, null));
    }
}
