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
 * What stands before every password hash, under {@code latchkey.guard.*}.
 *
 * @param enabled whether logins are limited and password hashes need a permit
 * @param permits how many password hashes are computed at a time; half of the processors where it is not set
 * @param maxWait how long a hash may take from being asked for to being done, as far as that can be foretold
 * @param maxWaiting how many threads may wait for logins; a quarter of the server's request threads where it is not set
 * @param trustedProxies networks (CIDR) whose forwarding header is believed
 * @param forwardingHeader the one header that they write
 * @param limits the limits on failed logins
 * @param refusals how refused logins are told
 * @param shared the limits that several nodes have together
 */
public record GuardProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable Integer permits,
        @DefaultValue("500ms") Duration maxWait,
        @Nullable Integer maxWaiting,
        @DefaultValue List<String> trustedProxies,
        @DefaultValue("x-forwarded-for") ForwardingHeader forwardingHeader,
        @DefaultValue Limits limits,
        @DefaultValue Refusals refusals,
        @DefaultValue Shared shared) {

    /**
     * One budget of failed logins for all nodes, in a store that they share.
     *
     * @param enabled whether the limits of failed logins are shared, in the service's Redis where auth-redis is on the class path, or in a
     *     BucketStore bean
     * @param secret the key under which accounts and addresses are digested, a text of at least 32 bytes and the same on each node; better kept in a
     *     file
     * @param secretFile the file that holds this key in Base64
     */
    public record Shared(
            @DefaultValue("false") boolean enabled,
            @Nullable Secret secret,
            @Nullable Path secretFile) {

        /**
         * Refuses limits that are shared under no key, or under two.
         *
         * @param enabled needs one key
         * @param secret null where there is a file, or nothing is shared
         * @param secretFile null where there is a secret, or nothing is shared
         * @throws LatchkeyConfigurationException if something is shared, and not exactly one key is there
         */
        public Shared {
            if (enabled && (secret == null) == (secretFile == null)) {
                throw new LatchkeyConfigurationException(
                        "latchkey.guard.shared.enabled is true, and " + (secret == null ? "no" : "more than one")
                                + " key is given for the digests of accounts and addresses",
                        "Make one for all nodes with: openssl rand -base64 32 > limits.key; chmod 600 limits.key, and set "
                                + "latchkey.guard.shared.secret-file to it.");
            }
        }
    }

    /**
     * How refused logins are told: late, and with no thread waiting until then.
     *
     * @param delay how long a refusal is held on average, so that clients that come back at once do so less often; zero tells it at once
     * @param maxHeld how many refusals are held at the same time; those above it are told at once
     */
    public record Refusals(
            @DefaultValue("1s") Duration delay,
            @DefaultValue("1000") int maxHeld) {

        /**
         * Refuses what is out of range.
         *
         * @param delay at most a minute
         * @param maxHeld 0 to 1,000,000
         * @throws LatchkeyConfigurationException if a value is out of its range; the message names its property
         */
        public Refusals {
            requireBetween("latchkey.guard.refusals.delay", delay, Duration.ZERO, Duration.ofMinutes(1));
            requireBetween("latchkey.guard.refusals.max-held", maxHeld, 0, 1_000_000);
        }
    }

    /**
     * How many logins may fail.
     *
     * @param enabled whether there are limits on failed logins
     * @param source failures of one source, whatever the account; 50 in 5 minutes and 1,500 in 48 hours where it is not set
     * @param account failures of one account from sources that have not logged in to it, before they take turns; 100 in 48 hours
     *     where it is not set
     * @param accountAndSource failures of one source for one account; 5 in 5 minutes and 150 in 48 hours where it is not set
     * @param knownPlace failures of one account at a place that has logged in to it; 20 in 5 minutes and 200 in 48 hours where it is
     *     not set
     * @param unknownSources failures of all sources together whose address is not known; 500 in 5 minutes and 15,000 in 48 hours
     *     where it is not set
     * @param strangerPace at which strangers take turns at an account that is attacked; 5 minutes where it is not set
     */
    public record Limits(
            @DefaultValue("true") boolean enabled,
            @Nullable List<LimitWindow> source,
            @Nullable List<LimitWindow> accountAndSource,
            @Nullable List<LimitWindow> account,
            @Nullable List<LimitWindow> knownPlace,
            @Nullable List<LimitWindow> unknownSources,
            @Nullable Duration strangerPace) {

        /**
         * Refuses what is out of range.
         *
         * @param enabled false for no limits, whatever the others are
         * @param source null or empty for the windows that are recommended
         * @param accountAndSource null or empty for the windows that are recommended
         * @param account null or empty for the windows that are recommended
         * @param knownPlace null or empty for the windows that are recommended
         * @param unknownSources null or empty for the windows that are recommended
         * @param strangerPace a second to a day; null for the pace that is recommended
         * @throws LatchkeyConfigurationException if a value is out of its range; the message names its property
         */
        public Limits {
            if (strangerPace != null) {
                requireBetween(
                        "latchkey.guard.limits.stranger-pace", strangerPace, Duration.ofSeconds(1), Duration.ofDays(1));
            }
        }
    }
}
