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
 * Makes tokens and checks them.
 *
 * <p>A token is good until its time is over, its user is gone, his password is another one, or it was logged out, which this node alone
 * remembers. Where the server keeps a copy of its users, the copy decides as long as it agrees; before a token is refused for what
 * the copy says, the database is asked. So a user who was just created, or has just changed his password, is not refused.
 *
 * <p>Safe for use by any number of threads.
 */
final class AccessTokens {

    /** Nodes' clocks may differ by this much: a token that one has just made would else be refused by another. */
    private static final Duration SKEW = Duration.ofSeconds(5);

    /** Up to this a lifetime may grow while the server runs; what was logged out is remembered for as long. */
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

    /** A token for this user, bound to the stored hash that his password was compared with. */
    String issue(String username, String storedHash) {
        return signer.sign(JwtClaims.forSubject(username, lifetime)
                .with(PasswordMark.CLAIM, PasswordMark.of(username, storedHash)));
    }

    /**
     * How long tokens are good that are made from now on.
     *
     * @throws IllegalArgumentException if that is longer than what was logged out is remembered
     */
    void changeLifetime(Duration changed) {
        if (changed.compareTo(longest) > 0) {
            throw new IllegalArgumentException(SettingsReader.LIFETIME + " can grow to " + longest.toSeconds()
                    + " while the server runs, and to " + changed.toSeconds() + " with a restart");
        }
        lifetime = changed;
    }

    /**
     * Whose token this is; empty for one that is not good.
     *
     * @throws AuthUnavailableException if the database has to be asked and does not answer
     */
    Optional<VerifiedJwt> check(String token) {
        return verifier.verify(token).verified().filter(this::isGood);
    }

    /**
     * Ends this token on this node.
     *
     * @return whether it could be: one of the default plugin has no id to remember
     */
    boolean revoke(VerifiedJwt token) {
        return revocations.revoke(token, token.expiresAt().orElse(Instant.MAX).plus(SKEW));
    }

    /** How many seconds the token is still good for, the present one included. */
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

    /** A token of the default plugin is bound to its user alone. */
    private static boolean fits(Optional<String> mark, String username, String storedHash) {
        return mark.map(text -> PasswordMark.matches(text, username, storedHash))
                .orElse(true);
    }
}
