package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Account;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.account.LoginListener.Cause;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import dev.latchkey.auth.store.StoredLogin;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
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
 * Sessions with refresh tokens (RFC 6749 section 6), each token valid once (RFC 9700 section 4.14.2).
 *
 * <p>A refresh replaces the token. A second use of a replaced token means a copy, by the client or by a thief. Then the whole
 * session ends, with its access tokens. The store decides in an atomic step about two parallel refreshes.
 *
 * <p><b>The race window.</b> Two tabs of a browser may refresh at once, or a client may retry after a lost answer. So the
 * previous token, and no older token, gets the same new refresh token again for a few seconds. The store keeps only a seed for
 * this purpose ({@link RefreshToken#next}). The cost: a stolen token is not detected within the window. The thief gains no more
 * than by the first use. Latchkey detects the theft when the thief and the owner use the next token at a greater distance than
 * the window. {@code race-window=0} turns the window off. An outage during the replacement also loses the answer: a retry within
 * the window gets the token, and later too if the store knows that no client has the token yet.
 *
 * <p>Each refresh looks the account up again, only in the plugin of the login. The account may be disabled, have other
 * authorities or another password, or its tokens may be revoked. Without the plugin, the session is over. An outage of a store
 * ends no session: the token stays valid, and the client may retry. Safe for use by any number of threads.
 */
public final class RefreshableLogins {

    private static final Logger LOG = LoggerFactory.getLogger(RefreshableLogins.class);

    /** A race is lost at most once. Several changes in a row are a failure of the store. */
    private static final int MOST_ATTEMPTS = 4;

    private final AuthChain plugins;
    private final LoginStore store;
    private final AccountLogins logins;
    private final RevocationStore revocations;
    private final AccessTokens accessTokens;
    private final LatchkeyProperties.Refresh settings;
    private final InstantSource clock;
    private final SecureRandom random;

    RefreshableLogins(
            AuthChain plugins,
            LoginStore store,
            AccountLogins logins,
            RevocationStore revocations,
            AccessTokens accessTokens,
            LatchkeyProperties.Refresh settings,
            InstantSource clock) {
        this(plugins, store, logins, revocations, accessTokens, settings, clock, new SecureRandom());
    }

    private RefreshableLogins(
            AuthChain plugins,
            LoginStore store,
            AccountLogins logins,
            RevocationStore revocations,
            AccessTokens accessTokens,
            LatchkeyProperties.Refresh settings,
            InstantSource clock,
            SecureRandom random) {
        this.plugins = plugins;
        this.store = store;
        this.logins = logins;
        this.revocations = revocations;
        this.accessTokens = accessTokens;
        this.settings = settings;
        this.clock = clock;
        this.random = random;
    }

    /** The same object with the time budget of a single request for stores. */
    RefreshableLogins during(StoreTime time) {
        return new RefreshableLogins(
                plugins,
                time.of(store),
                logins.during(time),
                time.of(revocations),
                accessTokens,
                settings,
                clock,
                random);
    }

    /** Whether the plugin finds the account of this login with the same stamp as at the password check. */
    boolean canProlong(Authenticated login) {
        Secret checked = login.stamp();
        return checked != null
                && account(login.plugin(), login.subject().id())
                        .filter(account -> account.stamp().matches(checked))
                        .isPresent();
    }

    /**
     * The first tokens of a session after {@link #canProlong}, or {@link AccountFull}; empty if the proof of the login has
     * expired.
     */
    Optional<LoginOutcome> start(
            Authenticated login, Secret stamp, Instant startedAt, RequestContext context, TokenOptions options) {
        RefreshToken token = RefreshToken.first(random);
        Instant latest = startedAt.plus(settings.lifetime());
        Instant wanted = options.sessionLifetime().map(startedAt::plus).orElse(latest);
        Instant endsAt = earlier(earlier(latest, wanted), login.validUntil());
        StoredLogin stored = new StoredLogin(
                token.familyId(),
                login.plugin(),
                login.subject().id(),
                token.hash(),
                token.stampOf(stamp, options.client()),
                login.factors().methods(),
                startedAt,
                endsAt,
                earlier(startedAt.plus(settings.idleLifetime()), endsAt),
                null,
                logins.deviceOf(context));
        Optional<AccessToken> access =
                accessTokens.issue(login.subject(), factorsOf(stored), startedAt, endsAt, stored.id(), options);
        return access.map(issued -> logins.start(stored)
                ? IssuedTokens.of(login.subject(), issued, token, options)
                : AccountFull.ACCOUNT_FULL);
    }

    /**
     * Exchanges a refresh token for new tokens. Afterwards the old token is invalid.
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
     * Does what {@link #refresh(String)} does, for a registered client. A refresh token of another client was copied, so its login ends.
     *
     * @param presented what the client sent, of any form
     * @param client the id of the authenticated client; empty for none
     * @return empty for a token that is not good, whatever the reason
     * @throws AuthUnavailableException as {@link #refresh(String)}
     */
    public Optional<IssuedTokens> refresh(String presented, String client) {
        return RefreshToken.parse(presented)
                .flatMap(token -> during(StoreTime.ofARequest()).refresh(token, client));
    }

    /**
     * The login of a refresh token, if a refresh would succeed now. Nothing is changed.
     *
     * @param presented what the client sent, of any form
     * @param client the id of the authenticated client
     * @return the account and the end of the login; empty for a token that is not good, whatever the reason
     * @throws AuthUnavailableException as {@link #refresh(String)}
     */
    public Optional<LiveLogin> find(String presented, String client) {
        return RefreshToken.parse(presented)
                .flatMap(token -> store.find(token.familyId())
                        .filter(stored -> isSame(token.hash(), stored.tokenHash()))
                        .filter(stored -> proofOf(token, stored, client) != null))
                .map(stored -> new LiveLogin(stored.subjectId(), stored.startedAt(), stored.expiresAt()));
    }

    /**
     * Whether the account of a login may still log in.
     *
     * @param id of the login, from an access token
     * @return false where the login has ended
     */
    public boolean isLive(String id) {
        return store.find(id)
                .filter(stored -> account(stored.plugin(), stored.subjectId()).isPresent())
                .isPresent();
    }

    /**
     * A login that a refresh token prolongs.
     *
     * @param subjectId of the account
     * @param startedAt the time of the login
     * @param expiresAt the end of the login without a further refresh
     */
    public record LiveLogin(String subjectId, Instant startedAt, Instant expiresAt) {}

    /**
     * Reads the session, and writes its replacement. If the stored session has changed meanwhile, all steps run again, because a
     * client must not get an unwritten token. The cause may be a faster refresh, or a failover to an earlier state.
     */
    private Optional<IssuedTokens> refresh(RefreshToken presented, String client) {
        // The issue time of the access token. A revocation of all tokens may come after the check in the store, and
        // must cover this token too.
        Instant begun = clock.instant();
        RefreshToken next = presented;
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            StoredLogin stored = store.find(presented.familyId()).orElse(null);
            if (stored == null) {
                return Optional.empty();
            }
            RefreshToken good = goodToken(presented, next, stored);
            if (good == null) {
                LOG.warn(
                        "A refresh token of '{}' came a second time: the login that it belongs to is ended",
                        stored.subjectId());
                return refused(stored, Cause.REUSE);
            }
            Proof proof = proofOf(good, stored, client);
            if (proof == null) {
                return refused(stored, Cause.ACCOUNT);
            }
            // A store may show a replacement before acknowledging the write. The second write of the same value
            // acknowledges the value.
            Replacement replacement =
                    good == presented ? replacementOf(good, proof, stored, client) : new Replacement(good, stored);
            next = replacement.token();
            // The access token first, because this step may fail: after the write below, the client must get its
            // tokens.
            Optional<IssuedTokens> tokens = issue(proof.login(), stored, next, begun, client);
            if (store.replace(stored.tokenHash(), replacement.login())) {
                return tokens;
            }
        }
        throw AuthUnavailableException.outage(
                "The login was another one at each of " + MOST_ATTEMPTS + " attempts to prolong it");
    }

    /**
     * Ends the session of this refresh token, present or earlier, unless the session belongs to one of these clients.
     *
     * @return false if the session belongs to one of these clients, and goes on
     */
    boolean endByRefreshToken(RefreshToken token, Set<String> otherClients) {
        StoredLogin stored = store.find(token.familyId()).orElse(null);
        if (stored == null) {
            return true;
        }
        if (!otherClients.isEmpty() && isOfAny(otherClients, token, stored)) {
            return false;
        }
        end(stored.id(), stored.subjectId());
        return true;
    }

    /**
     * A session names its client only together with the present token and the unchanged account. Without these, the session is
     * over at the next refresh, so every bearer may end the session.
     */
    private boolean isOfAny(Set<String> clients, RefreshToken token, StoredLogin stored) {
        RefreshToken present = goodToken(token, stored);
        Secret stamp = present == null ? null : stampDespiteOutage(stored);
        return present != null
                && stamp != null
                && clients.stream().anyMatch(client -> isSame(present.stampOf(stamp, client), stored.stamp()));
    }

    private @Nullable Secret stampDespiteOutage(StoredLogin stored) {
        try {
            return account(stored.plugin(), stored.subjectId())
                    .map(Account::stamp)
                    .orElse(null);
        } catch (AuthUnavailableException e) {
            return null;
        }
    }

    /** Ends the session with this id and this subject. Repeated calls are allowed. */
    void end(String id, String subjectId) {
        logins.end(id, subjectId, Cause.LOGOUT);
    }

    /** The token of a session after a refresh, and the session itself. */
    private record Replacement(RefreshToken token, StoredLogin login) {}

    private Replacement replacementOf(RefreshToken token, Proof proof, StoredLogin stored, String client) {
        Instant now = clock.instant();
        String seed = RefreshToken.seed(random);
        RefreshToken next = token.next(seed);
        StoredLogin renewed = new StoredLogin(
                stored.id(),
                stored.plugin(),
                stored.subjectId(),
                next.hash(),
                next.stampOf(proof.stamp(), client),
                stored.methods(),
                stored.startedAt(),
                stored.endsAt(),
                earlier(now.plus(settings.idleLifetime()), stored.endsAt()),
                new StoredLogin.Replaced(token.hash(), seed, now),
                stored.device());
        return new Replacement(next, renewed);
    }

    /**
     * The present token of this session, derived from the presented token or from the previous attempt's answer: the client may
     * have used that answer already. Null if neither leads to the present token: the presented token was used before.
     */
    private @Nullable RefreshToken goodToken(RefreshToken presented, RefreshToken lastAnswer, StoredLogin stored) {
        RefreshToken good = goodToken(presented, stored);
        return good == null && lastAnswer != presented ? goodToken(lastAnswer, stored) : good;
    }

    private @Nullable RefreshToken goodToken(RefreshToken token, StoredLogin stored) {
        return isSame(token.hash(), stored.tokenHash()) ? token : winnersToken(token, stored);
    }

    /** The replacement of this token within the race window; null after the window, or after a further replacement. */
    private @Nullable RefreshToken winnersToken(RefreshToken token, StoredLogin stored) {
        StoredLogin.Replaced last = stored.replaced();
        if (last == null || !isSame(token.hash(), last.tokenHash()) || !isWithinTheWindow(last.at())) {
            return null;
        }
        RefreshToken winners = token.next(last.seed());
        return isSame(winners.hash(), stored.tokenHash()) ? winners : null;
    }

    /**
     * The window is on both sides of the instant. Otherwise a clock set back, or a slow clock of another node, would lengthen the
     * window.
     */
    private boolean isWithinTheWindow(Instant used) {
        return Duration.between(used, clock.instant()).abs().compareTo(settings.raceWindow()) < 0;
    }

    private Optional<IssuedTokens> refused(StoredLogin stored, Cause cause) {
        logins.end(stored.id(), stored.subjectId(), cause);
        return Optional.empty();
    }

    /** The active account and its stamp. */
    private record Proof(Authenticated login, Secret stamp) {}

    /** Null if the session is over: expired, revoked, or with a changed account. */
    private @Nullable Proof proofOf(RefreshToken present, StoredLogin stored, String client) {
        if (!clock.instant().isBefore(stored.expiresAt())) {
            return null;
        }
        Account account = account(stored.plugin(), stored.subjectId()).orElse(null);
        return account != null
                        && account.state() instanceof Authenticated state
                        && isSame(present.stampOf(account.stamp(), client), stored.stamp())
                        && !revocations.isSubjectRevoked(stored.subjectId(), stored.startedAt())
                        // An ended session in a store that failed at the end, or that returned to an earlier state.
                        && !revocations.isTokenRevoked(stored.id())
                ? new Proof(state, account.stamp())
                : null;
    }

    /** The active account of this subject. */
    private Optional<Account> account(String plugin, String subjectId) {
        return plugins.decidedLogins()
                .account(plugin, subjectId)
                .filter(account -> account.state() instanceof Authenticated state
                        && state.subject().id().equals(subjectId));
    }

    private Optional<IssuedTokens> issue(
            Authenticated login, StoredLogin stored, RefreshToken next, Instant begun, String client) {
        // The clock of the first node may be ahead of this node's clock. With this node's time, the token would look
        // older than a revocation before the login.
        Instant issuedAt = begun.isBefore(stored.startedAt()) ? stored.startedAt() : begun;
        Instant end = earlier(stored.endsAt(), login.validUntil());
        TokenOptions options = accessTokens.optionsOf(
                TokenContext.ofRefresh(login), TokenOptions.defaults().ofClient(client));
        return accessTokens
                .issue(login.subject(), factorsOf(stored), issuedAt, end, stored.id(), options)
                .map(access -> IssuedTokens.of(login.subject(), access, next, options));
    }

    /** The same in each token of the session, with the time of the first login (OpenID Connect Core 1.0, section 12.2). */
    private static Factors factorsOf(StoredLogin login) {
        return new Factors(login.methods(), login.startedAt());
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
    }
}
