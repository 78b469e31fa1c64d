package dev.latchkey.auth.spring.settings;

import static dev.latchkey.auth.spring.settings.PropertyRules.requireBetween;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Revocations and sessions in the service's Redis or Valkey, where {@code auth-redis} is on the class path.
 *
 * @param enabled whether revocations and sessions are kept in Redis, where auth-redis is on the class path and there is one
 *     RedisConnectionFactory; if set to true without these, the start ends
 * @param keyPrefix the start of each key, before the name of the service (latchkey.service)
 * @param timeout how long a call may take; a longer call is an outage
 * @param waitForReplicas how many replicas must confirm the start, the refresh or the end of a session, within half of the
 *     timeout, before the answer
 */
@ConfigurationProperties("latchkey.redis")
public record RedisProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("latchkey:") String keyPrefix,
        @DefaultValue("1s") Duration timeout,
        @DefaultValue("0") int waitForReplicas) {

    /**
     * Rejects values out of range.
     *
     * @param enabled true by default
     * @param keyPrefix 1 to 200 characters without braces and white space
     * @param timeout 10 ms to 10 s
     * @param waitForReplicas 0 to 100
     * @throws LatchkeyConfigurationException if a value is out of range or the prefix is invalid; the message names the property
     */
    public RedisProperties {
        requireBetween("latchkey.redis.timeout", timeout, Duration.ofMillis(10), Duration.ofSeconds(10));
        requireBetween("latchkey.redis.wait-for-replicas", waitForReplicas, 0, 100);
        if (!keyPrefix.matches("[^\\s{}]{1,200}")) {
            throw new LatchkeyConfigurationException(
                    "latchkey.redis.key-prefix is '" + keyPrefix + "', which is no prefix of a key",
                    "Write 1 to 200 characters without braces and white space, such as team:latchkey:");
        }
    }
}
