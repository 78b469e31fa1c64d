package dev.latchkey.auth.spring.settings;

import static dev.latchkey.auth.spring.settings.PropertyRules.requireBetween;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.source.ForwardingHeader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits and permits before every password hash, under {@code latchkey.guard.*}.
 *
 * @param enabled whether logins are limited and password hashes need a permit
 * @param permits how many password hashes are computed at a time; by default half of the processors
 * @param maxWait the longest time from the request for a hash to its result, as far as Latchkey can estimate
 * @param trustedProxies networks (CIDR) of proxies with a trusted forwarding header, and nothing else; none for a service without
 *     a proxy
 * @param forwardingHeader the header that these proxies write
 * @param limits the limits on failed logins
 * @param refusals the delay of rate-limited responses
 * @param shared the limits shared by several nodes
 */
public record GuardProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable Integer permits,
        @DefaultValue("500ms") Duration maxWait,
        @DefaultValue List<String> trustedProxies,
        @DefaultValue("x-forwarded-for") ForwardingHeader forwardingHeader,
        @DefaultValue Limits limits,
        @DefaultValue Refusals refusals,
        @DefaultValue Shared shared) {

    /**
     * Rejects values out of range.
     *
     * @param enabled true by default
     * @param permits 1 to 1,000,000; null for half of the processors
     * @param maxWait a millisecond to an hour
     * @param trustedProxies empty without a proxy
     * @param forwardingHeader X-Forwarded-For by default
     * @param limits the defaults of the guard
     * @param refusals a second by default
     * @param shared off by default
     * @throws LatchkeyConfigurationException if a value is out of range; the message names the property
     */
    public GuardProperties {
        if (permits != null) {
            requireBetween("latchkey.guard.permits", permits, 1, 1_000_000);
        }
        requireBetween("latchkey.guard.max-wait", maxWait, Duration.ofMillis(1), Duration.ofHours(1));
    }

    /**
     * One budget of failed logins for all nodes, in a shared store.
     *
     * @param enabled whether the limits of failed logins are shared, in the service's Redis with auth-redis, or in a BucketStore
     *     bean
     * @param secret the key for digests of accounts and client IPs, the same on each node: a text of at least 32 bytes, or better
     *     a file with a key in Base64, as in file:/run/secrets/limits.key
     */
    public record Shared(
            @DefaultValue("false") boolean enabled,
            @Nullable Secret secret) {

        /**
         * Checks that shared limits have a key.
         *
         * @param enabled requires a key
         * @param secret null if nothing is shared
         * @throws LatchkeyConfigurationException if the limits are shared without a key
         */
        public Shared {
            if (enabled && secret == null) {
                throw new LatchkeyConfigurationException(
                        "latchkey.guard.shared.enabled is true, and no key is given for the digests of accounts and addresses",
                        "Make one for all nodes with: openssl rand -base64 32 > limits.key; chmod 600 limits.key, and set "
                                + "latchkey.guard.shared.secret to file: and its path.");
            }
        }

        /**
         * The file that holds the key.
         *
         * @return null where there is none, or the key itself is set
         */
        public @Nullable Path secretFile() {
            return secret == null ? null : SecretText.file("latchkey.guard.shared.secret", secret);
        }
    }

    /**
     * The delay of rate-limited responses. No thread waits during the delay.
     *
     * @param delay how long a response is held on average, so that clients with automatic retries retry less often; zero sends
     *     the response at once
     */
    public record Refusals(@DefaultValue("1s") Duration delay) {

        /**
         * Rejects values out of range.
         *
         * @param delay at most a minute
         * @throws LatchkeyConfigurationException if a value is out of range; the message names the property
         */
        public Refusals {
            requireBetween("latchkey.guard.refusals.delay", delay, Duration.ZERO, Duration.ofMinutes(1));
        }
    }

    /**
     * How many logins may fail.
     *
     * @param enabled whether failed logins are limited
     * @param source failures of one client IP, over all accounts; by default 50 in 5 minutes and 1,500 in 48 hours
     * @param account failures of one account from all unknown clients; by default 100 in 48 hours, then one attempt every five minutes
     * @param accountAndSource failures of one client IP for one account; by default 5 in 5 minutes and 150 in 48 hours
     * @param knownClient failures of one account at a known client; by default 20 in 5 minutes and 200 in 48 hours
     */
    public record Limits(
            @DefaultValue("true") boolean enabled,
            @Nullable List<LimitWindow> source,
            @Nullable List<LimitWindow> accountAndSource,
            @Nullable List<LimitWindow> account,
            @Nullable List<LimitWindow> knownClient) {

        /**
         * Rejects windows below a second and above 365 days. A number without a unit is milliseconds for Boot, and such a window
         * limits nothing.
         *
         * @param enabled true by default
         * @param source null for the default
         * @param accountAndSource null for the default
         * @param account null for the default
         * @param knownClient null for the default
         * @throws LatchkeyConfigurationException if a window is out of range; the message names the property
         */
        public Limits {
            requireSeconds("source", source);
            requireSeconds("account-and-source", accountAndSource);
            requireSeconds("account", account);
            requireSeconds("known-client", knownClient);
        }

        private static void requireSeconds(String bucket, @Nullable List<LimitWindow> windows) {
            for (int i = 0; windows != null && i < windows.size(); i++) {
                requireBetween(
                        "latchkey.guard.limits." + bucket + "[" + i + "].per",
                        windows.get(i).per(),
                        Duration.ofSeconds(1),
                        Duration.ofDays(365));
            }
        }
    }
}
