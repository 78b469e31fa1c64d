package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jwt.ClaimTypeException;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.nacos.settings.NacosSettings;
import dev.latchkey.nacos.settings.NacosSettings.DefaultTokens;
import dev.latchkey.nacos.settings.SettingsReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Issues and checks tokens.
 *
 * <p>A token is valid until it expires, its user is deleted, the user's password changes, or a logout on this node. If
 * the server caches its users, the cache decides as long as it agrees. Before a rejection because of the cache, the
 * database is asked. Therefore a new user, or a user with a new password, is not rejected.
 *
 * <p>Safe for use by any number of threads.
 */
final class AccessTokens {

    /** The allowed difference between nodes' clocks: otherwise one node would reject another node's new token. */
    private static final Duration SKEW = Duration.ofSeconds(5);

    /** The largest allowed increase of the lifetime at run time; logouts are remembered for this time. */
    private static final Duration LONGEST_CHANGE = Duration.ofDays(30);

    private final StoredUsers users;
    private final JwtSigner signer;
    private final JwtVerifier verifier;
    private final JwtRevocations revocations;
    private final DefaultTokens fromDefaultPlugin;
    private final InstantSource clock;
    private final Duration longest;
    private volatile Duration lifetime;

    AccessTokens(StoredUsers users, RotatingKeys keys, NacosSettings settings, InstantSource clock) {
        this.users = users;
        this.clock = clock;
        JwtSigner typed = JwtSigner.with(keys).withTimeSource(clock).withGeneratedIds();
        this.signer = settings.rollout().written() == DefaultTokens.USED ? typed.withoutType() : typed;
        this.verifier = JwtVerifier.with(keys).withTimeSource(clock).withSkew(SKEW);
        this.fromDefaultPlugin = settings.rollout().read();
        this.lifetime = settings.lifetime();
        this.longest = lifetime.compareTo(LONGEST_CHANGE) < 0 ? LONGEST_CHANGE : lifetime;
        this.revocations = JwtRevocations.in(new InMemoryRevocationStore(longest.plus(SKEW), clock));
    }

    /** Issues a token for this user, bound to the stored hash of the checked password. */
    String issue(String username, String storedHash) {
        return signer.sign(JwtClaims.forSubject(username, lifetime)
                .with(PasswordMark.CLAIM, PasswordMark.of(username, storedHash)));
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
     * @throws AuthUnavailableException if the database must be asked and does not answer
     */
    Optional<VerifiedJwt> check(String token) {
        return verifier.verify(token).verified().filter(this::isGood);
    }

    /**
     * Revokes this token on this node.
     *
     * @return false for a token of the default plugin, which has no id to remember
     */
    boolean revoke(VerifiedJwt token) {
        return revocations.revoke(token, token.expiresAt().orElse(Instant.MAX).plus(SKEW));
    }

    /** The remaining lifetime in seconds, including the current second. */
    long secondsLeft(VerifiedJwt token) {
        Instant end = token.expiresAt().orElse(Instant.MIN);
        return Math.max(0, end.getEpochSecond() - clock.instant().getEpochSecond());
    }

    private boolean isGood(VerifiedJwt token) {
        String username = token.subject().orElse("");
        if (username.isEmpty() || revocations.isRevoked(token)) {
            return false;
        }
        Optional<String> mark;
        try {
            mark = token.text(PasswordMark.CLAIM);
        } catch (ClaimTypeException e) {
            return false;
        }
        if (mark.isEmpty() && fromDefaultPlugin == DefaultTokens.REFUSED) {
            return false;
        }
        return users.knownHash(username)
                        .filter(hash -> fits(mark, username, hash))
                        .isPresent()
                || users.storedHash(username)
                        .filter(hash -> fits(mark, username, hash))
                        .isPresent();
    }

    /** A token of the default plugin is bound only to its user. */
    private static boolean fits(Optional<String> mark, String username, String storedHash) {
        return mark.map(text -> PasswordMark.matches(text, username, storedHash))
                .orElse(true);
    }
}
