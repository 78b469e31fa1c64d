package dev.latchkey.auth.spring.settings;

import static dev.latchkey.auth.spring.settings.PropertyRules.requireBetween;

import dev.latchkey.auth.store.LocalRevocationSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Each node's copy of shared revocations.
 *
 * @param acceptStaleFor the maximal age of the copy for answers while the store is down; with zero, all tokens are refused then
 * @param tellReasons whether the bearer of a revoked token learns the reason: replaced, ended, or account banned
 * @param staleAfter the maximal age of the copy for answers without the store. A revocation reaches the other nodes within this time,
 *     or within acceptStaleFor while the store is down
 */
@ConfigurationProperties("latchkey.revocation")
public record RevocationProperties(
        @DefaultValue("2s") Duration staleAfter,
        @DefaultValue("0s") Duration acceptStaleFor,
        @DefaultValue("false") boolean tellReasons) {

    /**
     * Checks the ranges.
     *
     * @param staleAfter 100 ms to a minute
     * @param acceptStaleFor at most a day
     * @param tellReasons false by default
     * @throws LatchkeyConfigurationException if a value is out of range; the message names its property
     */
    public RevocationProperties {
        requireBetween("latchkey.revocation.stale-after", staleAfter, Duration.ofMillis(100), Duration.ofMinutes(1));
        requireBetween("latchkey.revocation.accept-stale-for", acceptStaleFor, Duration.ZERO, Duration.ofDays(1));
    }

    /**
     * Converts these properties for the revocation copy.
     *
     * @return the settings
     */
    public LocalRevocationSettings settings() {
        return LocalRevocationSettings.defaults().withStaleAfter(staleAfter).withAcceptStaleFor(acceptStaleFor);
    }
}
