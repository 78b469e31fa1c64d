package dev.latchkey.nacos.settings;

import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.KeyRing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of this plugin in the server's configuration.
 *
 * @param signingKey the server's own {@code nacos.core.auth.plugin.nacos.token.secret.key}
 * @param previousKeys earlier keys; their tokens are valid until they expire
 * @param lifetime of a token: the server's own {@code nacos.core.auth.plugin.nacos.token.expire.seconds}
 * @param rollout the exchange of tokens with the default plugin, in both directions
 * @param proxies the trusted proxies, for the client IP
 * @param passwordCache the expiry and size of the password cache; null for none
 * @param hashing limits on concurrent password hashes
 * @param refusalDelay the average delay of an answer with the status 429 or 503
 * @param sources of logins
 */
public record NacosSettings(
        HmacKey signingKey,
        List<HmacKey> previousKeys,
        Duration lifetime,
        Rollout rollout,
        TrustedProxies proxies,
        @Nullable CredentialCacheSettings passwordCache,
        HashingSettings hashing,
        Duration refusalDelay,
        SourceSettings sources) {

    /**
     * Copies the list.
     *
     * @param signingKey also the default plugin's key
     * @param previousKeys empty if the key has not changed for a lifetime
     * @param lifetime at least a second
     * @param rollout for the current step of the change
     * @param proxies undecided if not configured
     * @param passwordCache null for none
     * @param hashing for the first login with a password
     * @param refusalDelay zero for an immediate answer
     * @param sources at least one
     */
    public NacosSettings {
        previousKeys = List.copyOf(previousKeys);
    }

    /**
     * The signing key, and the previous keys for one lifetime. After the lifetime, the tokens of the previous keys have
     * expired.
     *
     * @param now the start of the lifetime
     * @return for use from now on
     */
    public KeyRing keyRing(Instant now) {
        KeyRing ring = KeyRing.of(signingKey);
        for (HmacKey previous : previousKeys) {
            ring = ring.alsoVerifying(previous, now.plus(lifetime));
        }
        return ring;
    }

    /**
     * The exchange of tokens with nodes that run the default plugin, during a change node by node.
     *
     * @param read whether the default plugin's tokens are accepted here
     * @param written whether this plugin issues tokens that the default plugin accepts
     */
    public record Rollout(DefaultTokens read, DefaultTokens written) {}

    /** Whether tokens in the form of the default plugin are used. */
    public enum DefaultTokens {
        /** Not accepted, or not issued. */
        REFUSED,
        /** Accepted, or issued. */
        USED;

        static DefaultTokens of(boolean used) {
            return used ? USED : REFUSED;
        }
    }
}
