package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.ClaimTypeException;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.nacos.settings.NacosSettings;
import dev.latchkey.nacos.settings.NacosSettings.DefaultTokens;
import dev.latchkey.nacos.settings.SettingsReader;
import dev.latchkey.nacos.settings.SourceSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Issues and checks tokens.
 *
 * <p>A token is valid until it expires, its user is deleted, the user's password changes, or the user logs out on this
 * node. If the server caches its users, a token that agrees with the cache is accepted. Before the cache causes a
 * rejection, the database is asked. Therefore a new user, or a user with a new password, is not rejected.
 *
 * <p>A token for a subject of another source names this source. The token is valid while the source is configured and
 * has the account with the same credentials. {@link Standings} knows the state of the account.
 *
 * <p>Safe for use by any number of threads.
 */
final class AccessTokens {

    /** The allowed difference between the clocks of nodes. Otherwise one node would reject another node's new token. */
    private static final Duration SKEW = Duration.ofSeconds(5);

    /** The largest allowed increase of the lifetime at run time; logouts are remembered for this time. */
    private static final Duration LONGEST_CHANGE = Duration.ofDays(30);

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** The claim with the name of another source. */
    private static final String SOURCE = "src";

    /** The claim with the facts about another source's subject. */
    private static final String FACTS = "fct";

    private final StoredUsers users;
    private final AuthChain chain;
    private final SourceSettings sources;
    private final Standings standings;
    private final RevocationStore store;
    private final JwtSigner signer;
    private final JwtVerifier verifier;
    private final JwtRevocations revocations;
    private final DefaultTokens fromDefaultPlugin;
    private final InstantSource clock;
    private final Duration longest;
    private volatile Duration lifetime;

    AccessTokens(
            StoredUsers users,
            AuthChain chain,
            Standings standings,
            RotatingKeys keys,
            NacosSettings settings,
            InstantSource clock) {
        this.users = users;
        this.chain = chain;
        this.sources = settings.sources();
        this.standings = standings;
        this.clock = clock;
        JwtSigner typed = JwtSigner.with(keys).withTimeSource(clock).withGeneratedIds();
        this.signer = settings.rollout().written() == DefaultTokens.USED ? typed.withoutType() : typed;
        this.verifier =
                JwtVerifier.with(keys).withTimeSource(clock).withSkew(SKEW).rejectingBoundTokens();
        this.fromDefaultPlugin = settings.rollout().read();
        this.lifetime = settings.lifetime();
        this.longest = lifetime.compareTo(LONGEST_CHANGE) < 0 ? LONGEST_CHANGE : lifetime;
        this.store = new InMemoryRevocationStore(longest.plus(SKEW), clock);
        this.revocations = JwtRevocations.in(store);
    }

    /**
     * Issues a token for this login, bound to the credentials of the account.
     *
     * @return empty if the verdict of the login's source ends in less than a second
     * @throws AuthUnavailableException as {@link #requireNoRevocation}
     */
    Optional<String> issue(Authenticated login) {
        requireNoRevocation(login);
        Duration left = lifetimeOf(login);
        return left.compareTo(SHORTEST) < 0
                ? Optional.empty()
                : Optional.of(signer.sign(
                        bound(login, JwtClaims.forSubject(login.subject().id(), left))));
    }

    /**
     * Requires that a token for this login would be valid.
     *
     * @throws AuthUnavailableException in the second of {@link #revokeAll}. The token would be revoked too, because tokens have
     *     times in whole seconds
     */
    void requireNoRevocation(Authenticated login) {
        Instant notBefore = store.notBefore(login.subject().id());
        Duration revoked = Duration.between(clock.instant(), notBefore);
        if (revoked.compareTo(Duration.ZERO) > 0) {
            throw AuthUnavailableException.overload("All tokens of the account were revoked a moment ago", revoked);
        }
    }

    private JwtClaims bound(Authenticated login, JwtClaims claims) {
        String source = login.plugin();
        if (source.equals(Passwords.NAME)) {
            String hash = StoredUsers.hashIn(login);
            return claims.with(
                    PasswordMark.CLAIM, PasswordMark.of(login.subject().id(), hash));
        }
        JwtClaims named =
                claims.with(SOURCE, source).with(FACTS, sources.rules().factsOf(source, login.subject()));
        return Standings.markOf(login)
                .map(mark -> named.with(PasswordMark.CLAIM, mark))
                .orElse(named);
    }

    /** No token outlasts the verdict of the login's source. */
    private Duration lifetimeOf(Authenticated login) {
        if (login.validUntil().equals(Instant.MAX)) {
            return lifetime;
        }
        Duration left = Duration.between(clock.instant(), login.validUntil());
        return left.compareTo(lifetime) < 0 ? left : lifetime;
    }

    /**
     * Changes the lifetime of new tokens.
     *
     * @throws IllegalArgumentException if the lifetime is longer than logouts are remembered
     */
    void changeLifetime(Duration changed) {
        if (changed.compareTo(longest) > 0) {
            throw new IllegalArgumentException(SettingsReader.LIFETIME + " can grow to " + longest.toSeconds()
                    + " while the server runs, and to " + changed.toSeconds() + " with a restart");
        }
        lifetime = changed;
    }

    /**
     * The verified token; empty for an invalid token.
     *
     * @throws AuthUnavailableException if the database must be asked and does not answer, or the source must be asked and is
     *     overloaded
     */
    Optional<VerifiedJwt> check(String token) {
        return verifier.verify(token).verified().filter(this::isGood);
    }

    /** Revokes this token on this node. */
    void revoke(VerifiedJwt token) {
        revocations.revoke(token, token.expiresAt().orElse(Instant.MAX).plus(SKEW));
    }

    /** The remaining lifetime in seconds, including the current second. */
    long secondsLeft(VerifiedJwt token) {
        Instant end = token.expiresAt().orElse(Instant.MIN);
        return Math.max(0, end.getEpochSecond() - clock.instant().getEpochSecond());
    }

    /** Revokes the present tokens of this subject on this node. */
    void revokeAll(String subject) {
        store.revokeSubject(subject, clock.instant());
    }

    /** The revocations of this node. {@link OtherTokens} uses the same store. */
    RevocationStore revoked() {
        return store;
    }

    /**
     * The roles of the token's subject, in addition to the roles in the server's table; empty for the server's own
     * users.
     *
     * @throws AuthUnavailableException if the source must be asked and is overloaded
     */
    Set<String> rolesOf(VerifiedJwt token) {
        String source = textOf(token, SOURCE).orElse("");
        if (source.isEmpty()) {
            return Set.of();
        }
        return sources.rules().rolesFor(source, factsOf(token, source));
    }

    private List<String> factsOf(VerifiedJwt token, String source) {
        boolean isLookedUp = textOf(token, PasswordMark.CLAIM).isPresent();
        return isLookedUp && standings.of(source, subjectOf(token)) instanceof Standings.Known known
                ? known.facts()
                : token.texts(FACTS).orElse(List.of());
    }

    private boolean isGood(VerifiedJwt token) {
        String subject = subjectOf(token);
        if (subject.isEmpty() || revocations.isRevoked(token)) {
            return false;
        }
        try {
            Optional<String> mark = token.text(PasswordMark.CLAIM);
            Optional<String> source = token.text(SOURCE);
            return source.isEmpty() ? isOfUser(subject, mark) : isOfSource(token, source.get(), mark);
        } catch (ClaimTypeException e) {
            return false;
        }
    }

    /** A user of the server whose name has the form of another source's subject cannot log in. */
    private boolean isOfUser(String username, Optional<String> mark) {
        if (!sources.hasUsers()
                || chain.outsideLogins().isForeignName(username)
                || (mark.isEmpty() && fromDefaultPlugin == DefaultTokens.REFUSED)) {
            return false;
        }
        return users.knownHash(username)
                        .filter(hash -> fits(mark, username, hash))
                        .isPresent()
                || users.storedHash(username)
                        .filter(hash -> fits(mark, username, hash))
                        .isPresent();
    }

    private boolean isOfSource(VerifiedJwt token, String source, Optional<String> mark) {
        String subject = subjectOf(token);
        if (!chain.pluginNames().contains(source) || !subject.startsWith(source + ":")) {
            return false;
        }
        if (mark.isEmpty()) {
            return true;
        }
        Instant since = token.issuedAt().orElse(Instant.MIN).plus(SKEW);
        return standings.passes(
                source,
                subject,
                since,
                standing -> standing instanceof Standings.Known known
                        ? PasswordMark.areEqual(mark.get(), known.mark())
                        : standing == Standings.Missing.UNKNOWN);
    }

    /** A token of the default plugin is bound only to its user. */
    private static boolean fits(Optional<String> mark, String username, String storedHash) {
        return mark.map(text -> PasswordMark.matches(text, username, storedHash))
                .orElse(true);
    }

    private static String subjectOf(VerifiedJwt token) {
        return token.subject().orElse("");
    }

    private static Optional<String> textOf(VerifiedJwt token, String claim) {
        try {
            return token.text(claim);
        } catch (ClaimTypeException e) {
            return Optional.empty();
        }
    }
}
