package dev.latchkey.auth.spring.settings;

import static dev.latchkey.auth.spring.settings.PropertyRules.requireBetween;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Revocations and logins in the service's Redis or Valkey, where {@code auth-redis} is on the class path.
 *
 * @param enabled whether revocations and logins are kept in Redis, where auth-redis is on the class path and there is one RedisConnectionFactory; set
 *     to true, the start ends where they are not
 * @param keyPrefix what each key begins with, before the name of the service (latchkey.service)
 * @param timeout how long a call may take before it is an outage
 * @param waitForReplicas how many replicas must have the start, the refresh or the end of a login, within half of the timeout, before it is answered
 */
@ConfigurationProperties("latchkey.redis")
public record RedisProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("latchkey:") String keyPrefix,
        @DefaultValue("1s") Duration timeout,
        @DefaultValue("0") int waitForReplicas) {

    /**
     * Refuses what is out of range.
     *
     * @param enabled true also where nothing is set
     * @param keyPrefix 1 to 200 characters without braces and white space
     * @param timeout 10 ms to 10 s
     * @param waitForReplicas 0 to 100
     * @throws LatchkeyConfigurationException if a value is out of its range or the prefix is none; the message names the property
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
