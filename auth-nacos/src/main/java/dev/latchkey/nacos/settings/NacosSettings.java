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
 * What the server's configuration says about this plugin.
 *
 * @param signingKey the server's own {@code nacos.core.auth.plugin.nacos.token.secret.key}
 * @param previousKeys whose tokens are good until they end
 * @param lifetime of a token: the server's own {@code nacos.core.auth.plugin.nacos.token.expire.seconds}
 * @param rollout how far the default plugin's tokens are known here, and these there
 * @param proxies who is believed where a request comes from
 * @param passwordCache for how long and for how many logins passwords are remembered; null for none
 * @param hashing how many password hashes are computed at a time
 * @param refusalDelay for how long a refused login waits for its answer, on average
 */
public record NacosSettings(
        HmacKey signingKey,
        List<HmacKey> previousKeys,
        Duration lifetime,
        Rollout rollout,
        TrustedProxies proxies,
        @Nullable CredentialCacheSettings passwordCache,
        HashingSettings hashing,
        Duration refusalDelay) {

    /**
     * Copies the list.
     *
     * @param signingKey also that of the default plugin
     * @param previousKeys none where the key has not changed for a lifetime
     * @param lifetime a second at least
     * @param rollout as the operator wants it at this step
     * @param proxies undecided where none are named
     * @param passwordCache null for none
     * @param hashing for the first logins of a password
     * @param refusalDelay zero for at once
     */
    public NacosSettings {
        previousKeys = List.copyOf(previousKeys);
    }

    /**
     * The key that signs, and for one lifetime the previous ones: by then their last tokens have ended.
     *
     * @param now when that lifetime begins
     * @return to be used from now on
     */
    public KeyRing keyRing(Instant now) {
        KeyRing ring = KeyRing.of(signingKey);
        for (HmacKey previous : previousKeys) {
            ring = ring.alsoVerifying(previous, now.plus(lifetime));
        }
        return ring;
    }

    /**
     * What is shared with nodes that run the default plugin, while a cluster is changed node by node.
     *
     * @param read whether the default plugin's tokens are accepted here
     * @param written whether tokens are issued that the default plugin accepts
     */
    public record Rollout(DefaultTokens read, DefaultTokens written) {}

    /** Whether tokens in the manner of the default plugin are used. */
    public enum DefaultTokens {
        /** They are not accepted, or not issued. */
        REFUSED,
        /** They are accepted, or issued. */
        USED;

        static DefaultTokens of(boolean used) {
            return used ? USED : REFUSED;
        }
    }
}
