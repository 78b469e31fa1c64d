package dev.latchkey.auth.spring.settings;

import static dev.latchkey.auth.spring.settings.PropertyRules.requireBetween;

import dev.latchkey.auth.store.LocalRevocationSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Each node's copy of shared revocations.
 *
 * @param acceptStaleFor the maximal age of the copy for answers while the store is down; with zero, tokens get 503 then
 * @param maximumSize the most revocations in the copy of each node; beyond this number, each token check calls the store
 * @param tellReasons whether the bearer of a revoked token learns the reason: replaced, ended, or account barred
 * @param staleAfter the maximal age of the copy for answers without the store. A revocation reaches the other nodes within this time,
 *     or within accept-stale-for while the store is down
 */
@ConfigurationProperties("latchkey.revocation")
public record RevocationProperties(
        @DefaultValue("2s") Duration staleAfter,
        @DefaultValue("0s") Duration acceptStaleFor,
        @DefaultValue("1000000") int maximumSize,
        @DefaultValue("false") boolean tellReasons) {

    private static final int LARGEST_COPY = 100_000_000;

    /**
     * Checks the ranges.
     *
     * @param staleAfter 100 ms to a minute
     * @param acceptStaleFor at most a day
     * @param maximumSize 1 to 100,000,000
     * @param tellReasons false by default
     * @throws LatchkeyConfigurationException if a value is out of range; the message names its property
     */
    public RevocationProperties {
        requireBetween("latchkey.revocation.stale-after", staleAfter, Duration.ofMillis(100), Duration.ofMinutes(1));
        requireBetween("latchkey.revocation.accept-stale-for", acceptStaleFor, Duration.ZERO, Duration.ofDays(1));
        if (maximumSize < 1 || maximumSize > LARGEST_COPY) {
            throw new LatchkeyConfigurationException(
                    "latchkey.revocation.maximum-size is " + maximumSize,
                    "Write a number from 1 to " + LARGEST_COPY + ". A million revocations take 64 MiB of each node.");
        }
    }

    /**
     * Converts these properties for the revocation copy.
     *
     * @return the settings
     */
    public LocalRevocationSettings settings() {
        return LocalRevocationSettings.defaults()
                .withStaleAfter(staleAfter)
                .withAcceptStaleFor(acceptStaleFor)
                .withMaximumSize(maximumSize);
    }
}
