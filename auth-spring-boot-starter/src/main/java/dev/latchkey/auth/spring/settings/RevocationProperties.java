package dev.latchkey.auth.spring.settings;

import static dev.latchkey.auth.spring.settings.PropertyRules.requireBetween;

import dev.latchkey.auth.store.LocalRevocationSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The copy of revocations that a node keeps where several nodes share them.
 *
 * @param acceptStaleFor how old the copy may be and still answer while the store does not; zero refuses all tokens then
 * @param maximumSize how many revocations the copy holds; where there are more, each check asks the store
 * @param staleAfter how old the copy may be and still answer without the store: what one node revokes, others refuse so much later at most
 */
@ConfigurationProperties("latchkey.revocation")
public record RevocationProperties(
        @DefaultValue("2s") Duration staleAfter,
        @DefaultValue("0s") Duration acceptStaleFor,
        @DefaultValue("1000000") int maximumSize) {

    /**
     * Refuses what is out of range.
     *
     * @param staleAfter 100 ms to a minute
     * @param acceptStaleFor at most a day
     * @param maximumSize 1 to 100,000,000
     * @throws LatchkeyConfigurationException if a value is out of its range; the message names its property
     */
    public RevocationProperties {
        requireBetween("latchkey.revocation.stale-after", staleAfter, Duration.ofMillis(100), Duration.ofMinutes(1));
        requireBetween("latchkey.revocation.accept-stale-for", acceptStaleFor, Duration.ZERO, Duration.ofDays(1));
        requireBetween("latchkey.revocation.maximum-size", maximumSize, 1, 100_000_000);
    }

    /**
     * The same as the copy takes it.
     *
     * @return with each of the values
     */
    public LocalRevocationSettings settings() {
        return LocalRevocationSettings.defaults()
                .withStaleAfter(staleAfter)
                .withAcceptStaleFor(acceptStaleFor)
                .withMaximumSize(maximumSize);
    }
}
