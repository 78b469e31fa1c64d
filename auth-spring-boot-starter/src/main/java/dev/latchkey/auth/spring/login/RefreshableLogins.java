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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logins that a refresh token prolongs (RFC 6749 section 6), each token good once (RFC 9700 section 4.14.2).
 *
 * <p>A refresh replaces the token. One that comes a second time was copied, and nobody can say by whom: then the whole login ends, with
 * the access tokens that belong to it. The store decides, in one step, which of two parallel refreshes is the first.
 *
 * <p><b>The race window.</b> Two tabs of one browser refresh at once, or a client asks again because it never saw the answer: neither
 * is a thief. So the token before the present one, and no other, is answered for a few seconds more, with the same refresh token that
 * its first use was answered with. Nothing is kept for that but a seed ({@link RefreshToken#next}). What it costs: a thief who presents
 * the stolen token within the window is not noticed then. He has no more than if he had been first. He is noticed as soon as he and the
 * owner use the next token further apart than the window. {@code race-window=0} turns it off. An outage while the token was replaced is such
 * a lost answer too: whoever tries again within the window gets his token, and later too where the store knows that nobody has it yet.
 *
 * <p>Each refresh looks the account up afresh, in the plugin that decided the login and in no other: it may be disabled, have other
 * authorities or another password by now, or its tokens may have been revoked. Where the plugin is gone, the login is over. A store
 * that does not answer refuses nobody for good: the token stays as it is, and may be tried again. Safe for use by any number of threads.
 */
public final class RefreshableLogins {

    private static final Logger LOG = LoggerFactory.getLogger(RefreshableLogins.class);

    /** A race is lost once; that the store is another one each time is no race. */
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

    /** The same, asked in the time that stores have of one request. */
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

    /** Whether its plugin finds the account of this login, as it was when its password was checked. */
    boolean canProlong(Authenticated login) {
        Secret checked = login.stamp();
        return checked != null
                && account(login.plugin(), login.subject().id())
                        .filter(account -> account.stamp().matches(checked))
                        .isPresent();
    }

    /**
     * The first tokens of a login that {@link #canProlong}, or the news that its account is full; empty where what proves the login is over by now.
     */
    Optional<LoginOutcome> start(Authenticated login, Secret stamp, Instant startedAt, RequestContext context) {
        RefreshToken token = RefreshToken.first(random);
        Instant endsAt = earlier(startedAt.plus(settings.lifetime()), login.validUntil());
        StoredLogin stored = new StoredLogin(
                token.familyId(),
                login.plugin(),
                login.subject().id(),
                token.hash(),
                token.stampOf(stamp),
                login.factors().methods(),
                startedAt,
                endsAt,
                earlier(startedAt.plus(settings.idleLifetime()), endsAt),
                null,
                logins.deviceOf(context));
        Optional<AccessToken> access =
                accessTokens.issue(login.subject(), factorsOf(stored), startedAt, endsAt, stored.id());
        return access.map(issued ->
                logins.start(stored) ? new IssuedTokens(login.subject(), issued, token) : AccountFull.ACCOUNT_FULL);
    }

    /**
     * Exchanges a refresh token for new tokens; the old one is good for nothing afterwards.
     *
     * @param presented what somebody sent, of any form
     * @return empty for a token that is not good, whatever the reason
     * @throws AuthUnavailableException if a store or the plugin does not answer, or the store has another login at each look: the token may be tried again
     */
    public Optional<IssuedTokens> refresh(String presented) {
        return RefreshToken.parse(presented).flatMap(during(StoreTime.ofARequest())::refresh);
    }

    /**
     * Reads the login, and writes what follows from it. Where the store has another one by then, all of it is done once more: of a token that was not
     * written nobody may be told. Another refresh may have been faster, or a failover has brought an earlier state back.
     */
    private Optional<IssuedTokens> refresh(RefreshToken presented) {
        // Dates the access token. A revocation of all tokens may come after the store was asked about one: it covers
        // this token too.
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
            Proof proof = proofOf(good, stored);
            if (proof == null) {
                return refused(stored, Cause.ACCOUNT);
            }
            // A store may show a replacement before it acknowledges it. Put there once more, what was read is
            // acknowledged too.
            Replacement replacement =
                    good == presented ? replacementOf(good, proof, stored) : new Replacement(good, stored);
            next = replacement.token();
            // First the token that may fail: what the store acknowledges below, the client is about to hold.
            Optional<IssuedTokens> tokens = issue(proof.login(), stored, next, begun);
            if (store.replace(stored.tokenHash(), replacement.login())) {
                return tokens;
            }
        }
        throw AuthUnavailableException.outage(
                "The login was another one at each of " + MOST_ATTEMPTS + " attempts to prolong it");
    }

    /** Ends the login that this refresh token belongs to, be it the present one or an earlier one. */
    void endByRefreshToken(RefreshToken token) {
        store.find(token.familyId()).ifPresent(stored -> end(stored.id(), stored.subjectId()));
    }

    /** Ends the login of this id, whose access tokens are this subject's; one that has ended may be ended again. */
    void end(String id, String subjectId) {
        logins.end(id, subjectId, Cause.LOGOUT);
    }

    /** The token of a login after a refresh, and the login that has it. */
    private record Replacement(RefreshToken token, StoredLogin login) {}

    private Replacement replacementOf(RefreshToken token, Proof proof, StoredLogin stored) {
        Instant now = clock.instant();
        String seed = RefreshToken.seed(random);
        RefreshToken next = token.next(seed);
        StoredLogin renewed = new StoredLogin(
                stored.id(),
                stored.plugin(),
                stored.subjectId(),
                next.hash(),
                next.stampOf(proof.stamp()),
                stored.methods(),
                stored.startedAt(),
                stored.endsAt(),
                earlier(now.plus(settings.idleLifetime()), stored.endsAt()),
                new StoredLogin.Replaced(token.hash(), seed, now),
                stored.device());
        return new Replacement(next, renewed);
    }

    /**
     * The present token of this login, as far as the presented one leads to it. So does the one that the last attempt was going to answer with: its own
     * client may have used it by now. Null where neither does: the presented one was used before.
     */
    private @Nullable RefreshToken goodToken(RefreshToken presented, RefreshToken lastAnswer, StoredLogin stored) {
        RefreshToken good = goodToken(presented, stored);
        return good == null && lastAnswer != presented ? goodToken(lastAnswer, stored) : good;
    }

    private @Nullable RefreshToken goodToken(RefreshToken token, StoredLogin stored) {
        return isSame(token.hash(), stored.tokenHash()) ? token : winnersToken(token, stored);
    }

    /** What this token was replaced by a moment ago; null where that is longer ago, or another one was replaced since. */
    private @Nullable RefreshToken winnersToken(RefreshToken token, StoredLogin stored) {
        StoredLogin.Replaced last = stored.replaced();
        if (last == null || !isSame(token.hash(), last.tokenHash()) || !isWithinTheWindow(last.at())) {
            return null;
        }
        RefreshToken winners = token.next(last.seed());
        return isSame(winners.hash(), stored.tokenHash()) ? winners : null;
    }

    /**
     * The window is on both sides of that instant: else a clock that was set back, or another node's that is behind, would make it longer by as much.
     */
    private boolean isWithinTheWindow(Instant used) {
        return Duration.between(used, clock.instant()).abs().compareTo(settings.raceWindow()) < 0;
    }

    private Optional<IssuedTokens> refused(StoredLogin stored, Cause cause) {
        logins.end(stored.id(), stored.subjectId(), cause);
        return Optional.empty();
    }

    /** Proves that the account may still be logged in, and has its stamp. */
    private record Proof(Authenticated login, Secret stamp) {}

    /** Null where the login is over: its time has ended, it was revoked, or its account is not what it was. */
    private @Nullable Proof proofOf(RefreshToken present, StoredLogin stored) {
        if (!clock.instant().isBefore(stored.expiresAt())) {
            return null;
        }
        Account account = account(stored.plugin(), stored.subjectId()).orElse(null);
        return account != null
                        && account.state() instanceof Authenticated state
                        && isSame(present.stampOf(account.stamp()), stored.stamp())
                        && !revocations.isSubjectRevoked(stored.subjectId(), stored.startedAt())
                        // A login that was ended, by a store that failed then or has gone back to what it had before.
                        && !revocations.isTokenRevoked(stored.id())
                ? new Proof(state, account.stamp())
                : null;
    }

    /** The account of this subject, if it may log in. */
    private Optional<Account> account(String plugin, String subjectId) {
        return plugins.account(plugin, subjectId)
                .filter(account -> account.state() instanceof Authenticated state
                        && state.subject().id().equals(subjectId));
    }

    private Optional<IssuedTokens> issue(Authenticated login, StoredLogin stored, RefreshToken next, Instant begun) {
        // The clock of the node where it began may be ahead of this one's. Dated by this one, a token would look older
        // than a revocation that the login came after.
        Instant issuedAt = begun.isBefore(stored.startedAt()) ? stored.startedAt() : begun;
        Instant end = earlier(stored.endsAt(), login.validUntil());
        return accessTokens
                .issue(login.subject(), factorsOf(stored), issuedAt, end, stored.id())
                .map(access -> new IssuedTokens(login.subject(), access, next));
    }

    /** The same in each token of the login: its time is that of the first one (OpenID Connect Core 1.0, section 12.2). */
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
