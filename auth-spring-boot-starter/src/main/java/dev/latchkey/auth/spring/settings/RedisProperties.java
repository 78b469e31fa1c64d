package dev.latchkey.auth.spring.settings;

import static dev.latchkey.auth.spring.settings.PropertyRules.requireBetween;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Revocations and sessions in the service's Redis or Valkey, where {@code auth-redis} is on the class path.
 *
 * @param timeout how long a call may take; a longer call is an outage
 * @param waitForReplicas how many replicas must confirm the start, the refresh or the end of a session, within half of the
 *     timeout, before the answer
 */
@ConfigurationProperties("latchkey.redis")
public record RedisProperties(
        @DefaultValue("1s") Duration timeout,
        @DefaultValue("0") int waitForReplicas) {

    /**
     * Rejects values out of range.
     *
     * @param timeout 10 ms to 10 s
     * @param waitForReplicas 0 to 100
     * @throws LatchkeyConfigurationException if a value is out of range; the message names the property
     */
    public RedisProperties {
        requireBetween("latchkey.redis.timeout", timeout, Duration.ofMillis(10), Duration.ofSeconds(10));
        requireBetween("latchkey.redis.wait-for-replicas", waitForReplicas, 0, 100);
    }
}
