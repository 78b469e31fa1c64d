package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.account.LoginListener.Cause;
import dev.latchkey.auth.spring.login.RefreshRotation.Rotated;
import dev.latchkey.auth.spring.login.TokenRevocation.Outcome;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.StoreTime;
import dev.latchkey.auth.store.StoredLogin;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions with refresh tokens (RFC 6749 section 6).
 *
 * <p>A refresh replaces the token ({@link RefreshRotation}) and looks the account up again ({@link SessionAccounts}). Within the
 * race window, the last replaced token is still accepted. Any other use of an old token means that the token was copied.
 * Then the whole session ends, with its access tokens. Of two parallel refreshes, the store accepts one.
 *
 * <p>An outage of a store ends no session: the token stays valid, and the client may retry. Safe for use by any number of
 * threads.
 */
public final class RefreshableLogins {

    private static final Logger LOG = LoggerFactory.getLogger(RefreshableLogins.class);

    /** A refresh usually loses one race at most. Several changes in a row count as a failure of the store. */
    private static final int MOST_ATTEMPTS = 4;

    /** The largest lead of a session's start over the clock of this node. A larger lead means that a clock was wrong. */
    private static final Duration LARGEST_LEAD = Duration.ofMinutes(1);

    private final LoginStore store;
    private final AccountLogins logins;
    private final SessionAccounts accounts;
    private final AccessTokens tokens;
    private final RefreshRotation rotation;

    private RefreshableLogins(
            LoginStore store,
            AccountLogins logins,
            SessionAccounts accounts,
            AccessTokens tokens,
            RefreshRotation rotation) {
        this.store = store;
        this.logins = logins;
        this.accounts = accounts;
        this.tokens = tokens;
        this.rotation = rotation;
    }

    static RefreshableLogins in(
            LoginStore store,
            AccountLogins logins,
            AuthChain plugins,
            AccessTokens tokens,
            LatchkeyProperties.Refresh settings,
            InstantSource clock) {
        return new RefreshableLogins(
                StoreTime.of(store),
                logins,
                new SessionAccounts(plugins, tokens.revocations(), settings.lifetime()),
                tokens,
                new RefreshRotation(settings, clock, new SecureRandom()));
    }

    /**
     * Whether a refresh token can prolong this login: the plugin finds the account, with the same stamp as at the password check.
     */
    boolean canProlong(Authenticated login) {
        return login.stamp() != null && accounts.plugins().decidedLogins().isUnchanged(login);
    }

    /** Whether the account has no room for a session of this login. Asked before the further steps of the login. */
    boolean isFull(Authenticated login) {
        return login.stamp() != null && logins.isFull(login.subject().id());
    }

    /**
     * The first tokens of a session after {@link #canProlong}, or {@link AccountFull}; empty if the proof of the login has
     * expired.
     */
    Optional<LoginOutcome> start(
            Authenticated login, Secret stamp, Instant startedAt, RequestContext context, TokenOptions options) {
        Rotated first = rotation.first(login, stamp, startedAt, logins.deviceOf(context), options);
        StoredLogin session = first.session();
        Factors factors = new Factors(
                login.factors().methods(), AccessTokens.earliest(login.factors().at(), session.startedAt()));
        // The answer before the session, because a function of the service may fail here.
        return tokens.issue(login.subject(), factors, startedAt, session.endsAt(), session.id(), options)
                .map(access -> IssuedTokens.of(login.subject(), access, first.token(), options))
                .map(issued -> logins.start(session) ? issued : AccountFull.ACCOUNT_FULL);
    }

    /**
     * Exchanges a refresh token for new tokens. Afterwards the old token is valid only within the race window.
     *
     * @param presented text of any form from a client
     * @return empty for an invalid token, whatever the reason
     * @throws AuthUnavailableException if a store or the plugin does not answer, or the stored session changes at each attempt:
     *     the client may retry
     */
    public Optional<IssuedTokens> refresh(String presented) {
        return refresh(presented, "");
    }

    /**
     * As {@link #refresh(String)}, for a registered client. A refresh token of another client may be stolen, so the session of
     * the token ends.
     *
     * @param presented text of any form from a client
     * @param client the id of the authenticated client; empty for none
     * @return empty for an invalid token, whatever the reason
     * @throws AuthUnavailableException as {@link #refresh(String)}
     */
    public Optional<IssuedTokens> refresh(String presented, String client) {
        return RefreshToken.parse(presented).flatMap(token -> StoreTime.inOneRequest(() -> refresh(token, client)));
    }

    /**
     * Reads the session, and writes its replacement. If the stored session has changed meanwhile, all steps run again, because a
     * client must not get an unwritten token. The cause may be a faster refresh, or a failover to an earlier state.
     */
    private Optional<IssuedTokens> refresh(RefreshToken presented, String client) {
        // The access token has the time before the check in the store. So a later revocation of all tokens covers the
        // token.
        Instant begun = rotation.clock().instant();
        RefreshToken next = presented;
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            StoredLogin session = store.find(presented.sessionId()).orElse(null);
            if (session == null) {
                return Optional.empty();
            }
            RefreshToken present = presentOf(presented, next, session);
            if (present == null) {
                LOG.warn("A refresh token of '{}' came a second time; its session ends", session.subjectId());
                return ended(session, Cause.REUSE);
            }
            if (isOfTheFuture(session, begun)) {
                return Optional.empty();
            }
            Authenticated account = accounts.of(
                            session, present, client, rotation.clock().instant())
                    .orElse(null);
            Secret stamp = account == null ? null : account.stamp();
            if (account == null || stamp == null) {
                return ended(session, Cause.ACCOUNT);
            }
            // A store may show a replacement before confirming the write. The second write of the same value confirms
            // the first.
            Rotated rotated = present == presented
                    ? rotation.next(present, session, stamp, client)
                    : new Rotated(present, session);
            next = rotated.token();
            // The access token first, because this step may fail: after the write below, the client must get its
            // tokens.
            Optional<IssuedTokens> issued = issue(account, session, next, begun, client);
            if (store.replace(session.tokenHash(), rotated.session())) {
                return issued;
            }
        }
        throw AuthUnavailableException.outage(
                "The login was another one at each of " + MOST_ATTEMPTS + " attempts to prolong it");
    }

    /** A clock was wrong at the login, or is wrong here. This node would reject the new access token. */
    private static boolean isOfTheFuture(StoredLogin session, Instant now) {
        return session.startedAt().isAfter(now.plus(LARGEST_LEAD));
    }

    /**
     * The present token by the presented token, or else by the token of the previous attempt. A parallel refresh may have
     * answered with that token, and the client may have used the token already.
     */
    private @Nullable RefreshToken presentOf(RefreshToken presented, RefreshToken lastAnswer, StoredLogin session) {
        RefreshToken present = rotation.presentOf(presented, session);
        return present == null && lastAnswer != presented ? rotation.presentOf(lastAnswer, session) : present;
    }

    private Optional<IssuedTokens> ended(StoredLogin session, Cause cause) {
        logins.end(session.id(), session.subjectId(), cause);
        return Optional.empty();
    }

    private Optional<IssuedTokens> issue(
            Authenticated account, StoredLogin session, RefreshToken next, Instant begun, String client) {
        // The clock of the first node may be ahead of this node's clock. With this node's time, the token would look
        // older than a revocation before the login.
        Instant issuedAt = begun.isBefore(session.startedAt()) ? session.startedAt() : begun;
        Instant end = AccessTokens.earliest(session.endsAt(), account.validUntil());
        TokenOptions options = tokens.optionsOf(
                TokenContext.ofRefresh(account), TokenOptions.defaults().ofClient(client));
        // Each token of the session has the time of the first login (OpenID Connect Core 1.0, section 12.2).
        Factors factors = new Factors(session.methods(), session.startedAt());
        return tokens.issue(account.subject(), factors, issuedAt, end, session.id(), options)
                .map(access -> IssuedTokens.of(account.subject(), access, next, options));
    }

    /**
     * The session of the present refresh token, if the account may refresh now. Empty for a replaced token, even within the race
     * window. Nothing is changed.
     */
    Optional<StoredLogin> find(RefreshToken token, String client) {
        Instant now = rotation.clock().instant();
        return store.find(token.sessionId())
                .filter(session -> token.hasHash(session.tokenHash()) && !isOfTheFuture(session, now))
                .filter(session -> accounts.of(session, token, client, now).isPresent());
    }

    /** Whether the account of the session with this id may still log in. */
    boolean isLive(String id) {
        return store.find(id)
                .flatMap(session -> accounts.active(session.plugin(), session.subjectId()))
                .isPresent();
    }

    /**
     * Ends the session of this refresh token, present or earlier, unless the session belongs to one of these clients. Only the
     * present token, or a token within the race window, shows the client. With any older token, the session ends.
     *
     * @return {@link Outcome#UNKNOWN} if there is no such session, and {@link Outcome#OF_ANOTHER_CLIENT} if the session belongs to
     *     one of these clients, and goes on
     */
    Outcome endByRefreshToken(RefreshToken token, Set<String> otherClients) {
        StoredLogin session = store.find(token.sessionId()).orElse(null);
        if (session == null) {
            return Outcome.UNKNOWN;
        }
        RefreshToken present = otherClients.isEmpty() ? null : rotation.presentOf(token, session);
        if (present != null && accounts.isOfAny(otherClients, session, present)) {
            return Outcome.OF_ANOTHER_CLIENT;
        }
        end(session.id(), session.subjectId());
        return Outcome.DONE;
    }

    /** Ends the session with this id and this subject. Repeated calls are allowed. */
    void end(String id, String subjectId) {
        logins.end(id, subjectId, Cause.LOGOUT);
    }
}
