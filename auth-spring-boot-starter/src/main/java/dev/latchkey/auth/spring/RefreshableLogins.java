package dev.latchkey.auth.spring;

import dev.latchkey.auth.Account;
import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.RefreshFamily;
import dev.latchkey.auth.RefreshTokenStore;
import dev.latchkey.auth.RevocationStore;
import dev.latchkey.auth.jwt.JwtVerifier;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
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
 * the access tokens that belong to it. Which of two parallel refreshes is the first is decided by the store, in one step.
 *
 * <p>Each refresh looks the account up afresh: it may be disabled, have other authorities or another password by now, or its tokens
 * may have been revoked. A store that does not answer refuses nobody for good: the token stays as it is, and may be tried again.
 */
final class RefreshableLogins {

    private static final Logger LOG = LoggerFactory.getLogger(RefreshableLogins.class);

    private final AuthChain plugins;
    private final RefreshTokenStore store;
    private final RevocationStore revocations;
    private final AccessTokens accessTokens;
    private final LatchkeyProperties.Refresh settings;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    RefreshableLogins(
            AuthChain plugins,
            RefreshTokenStore store,
            RevocationStore revocations,
            AccessTokens accessTokens,
            LatchkeyProperties.Refresh settings,
            InstantSource clock) {
        this.plugins = plugins;
        this.store = store;
        this.revocations = revocations;
        this.accessTokens = accessTokens;
        this.settings = settings;
        this.clock = clock;
    }

    /** The first tokens of a login; empty where what proves it is over by now. */
    Optional<IssuedTokens> start(Authenticated login, Account account, Instant startedAt) {
        RefreshToken token = RefreshToken.first(random);
        Instant endsAt = earlier(startedAt.plus(settings.lifetime()), login.validUntil());
        RefreshFamily family = familyOf(token, login.subject().id(), account, startedAt, endsAt, startedAt);
        Optional<AccessToken> access = accessTokens.issue(login.subject(), startedAt, endsAt, family.id());
        access.ifPresent(issued -> store.start(family));
        return access.map(issued -> new IssuedTokens(login.subject(), issued, token));
    }

    /** New tokens for this one, which is good for nothing afterwards; empty for one that is not good, whatever the reason. */
    Optional<IssuedTokens> refresh(String presented) {
        Instant now = clock.instant();
        RefreshToken token = RefreshToken.parse(presented).orElse(null);
        RefreshFamily family =
                token == null ? null : store.find(token.familyId()).orElse(null);
        if (token == null || family == null) {
            return Optional.empty();
        }
        if (!isSame(token.hash(), family.tokenHash())) {
            return endedAsReused(family);
        }
        Account account = now.isBefore(family.expiresAt()) ? stillGood(token, family) : null;
        if (account == null || !(account.state() instanceof Authenticated state)) {
            end(family.id());
            return Optional.empty();
        }
        RefreshToken next = token.next(random);
        // A login right after a revocation is dated past it, and so must be what follows.
        Instant issuedAt = now.isBefore(family.startedAt()) ? family.startedAt() : now;
        Instant end = earlier(family.endsAt(), state.validUntil());
        Optional<AccessToken> access = accessTokens.issue(state.subject(), issuedAt, end, family.id());
        RefreshFamily renewed =
                familyOf(next, family.subjectId(), account, family.startedAt(), family.endsAt(), issuedAt);
        if (!store.replace(token.hash(), renewed)) {
            return endedAsReused(family);
        }
        return access.map(issued -> new IssuedTokens(state.subject(), issued, next));
    }

    /** Ends the login that this refresh token belongs to, be it the present one or an earlier one. */
    void endByRefreshToken(RefreshToken token) {
        store.find(token.familyId()).ifPresent(family -> end(family.id()));
    }

    /** Ends the login that this access token belongs to, if it is a good one of a login that can be prolonged. */
    void endByAccessToken(String token, JwtVerifier verifier) {
        verifier.verify(token)
                .verified()
                .map(jwt -> jwt.claims().get(AccessToken.SESSION_CLAIM))
                .ifPresent(session -> {
                    if (session instanceof String id) {
                        end(id);
                    }
                });
    }

    private Optional<IssuedTokens> endedAsReused(RefreshFamily family) {
        LOG.warn(
                "A refresh token of '{}' came a second time: the login that it belongs to is ended",
                family.subjectId());
        end(family.id());
        return Optional.empty();
    }

    /** The login first, so that it is over even where the revocation of its access tokens cannot be recorded. */
    private void end(String familyId) {
        if (store.end(familyId)) {
            revocations.revokeToken(
                    familyId,
                    clock.instant().plus(accessTokens.lifetime()).plus(LatchkeyJwtAutoConfiguration.SKEW_ALLOWANCE));
        }
    }

    private @Nullable Account stillGood(RefreshToken token, RefreshFamily family) {
        Account account = plugins.account(family.subjectId()).orElse(null);
        return account != null
                        && account.state() instanceof Authenticated state
                        && state.subject().id().equals(family.subjectId())
                        && isSame(token.stampOf(account.stamp()), family.stamp())
                        && !revocations.isSubjectRevoked(family.subjectId(), family.startedAt())
                ? account
                : null;
    }

    private RefreshFamily familyOf(
            RefreshToken token,
            String subjectId,
            Account account,
            Instant startedAt,
            Instant endsAt,
            Instant renewedAt) {
        return new RefreshFamily(
                token.familyId(),
                subjectId,
                token.hash(),
                token.stampOf(account.stamp()),
                startedAt,
                endsAt,
                earlier(renewedAt.plus(settings.idleLifetime()), endsAt));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
    }
}
