package dev.latchkey.throttle.spring;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.source.ForwardingHeader;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.ThrottleSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The throttles of a service's endpoints, under {@code latchkey.throttle.*}, and the settings of proxies, keys and Redis that throttles have in common
 * with login limits.
 *
 * @param throttle each throttle by its name, as in metrics, header fields and the actuator: 1 to 64
 *     letters, digits and hyphens, all in lower case
 * @param guard the client IP, and the key of what nodes share
 * @param redis the place of shared throttles
 */
@ConfigurationProperties("latchkey")
record ThrottleProperties(
        @DefaultValue Map<String, Endpoints> throttle,
        @DefaultValue Guard guard,
        @DefaultValue Redis redis) {

    private static final int SMALLEST_CHUNK = 64;

    /**
     * Refuses throttles that limit nothing, or whose values do not fit together.
     *
     * @throws ThrottleConfigurationException if one of them is refused; the message names its property
     */
    ThrottleProperties {
        throttle = Map.copyOf(throttle);
        throttle.forEach(ThrottleProperties::requireSense);
    }

    /** What a throttle counts. */
    enum Counts {
        /** Each request costs 1. */
        REQUESTS,
        /** Each byte of a response's body costs 1, before the server compresses it. */
        RESPONSE_BYTES
    }

    /**
     * A throttle, and the endpoints that it slows down.
     *
     * @param paths patterns with {@code *} and {@code **}, of the path below the context path
     * @param counts what is counted
     * @param principal for each authenticated caller; no limit where it is not set
     * @param source for each IPv4 address or IPv6 /64 network; no limit where it is not set
     * @param global for all together; no limit where it is not set
     * @param shared whether all nodes have these rates together, in the service's Redis where auth-redis is on the class path, or in a PortionStore
     *     bean; else each node has them for itself
     * @param maxWait how long a request, or the next piece of a body, waits for its turn; zero refuses at once
     * @param maxWaiting how many may wait for one bucket; more are refused
     * @param maxBuckets how many callers, and how many sources, are remembered; the least used are forgotten first
     * @param chunk a body passes in pieces of this size
     * @param maxHeld how much of one response is kept in memory while it waits, and of all together an eighth of the heap; a longer body holds the
     *     thread that writes it, and one that finds no room is refused
     * @param writeTimeout a response of which the client reads nothing for so long is given up
     * @param rateLimitFields whether responses to requests that pass show their limit and what is left of it, in the fields
     *     {@code RateLimit} and {@code RateLimit-Policy}; where bytes are counted, only a refusal is
     */
    record Endpoints(
            @DefaultValue("/**") List<String> paths,
            @DefaultValue("requests") Counts counts,
            @Nullable Rate principal,
            @Nullable Rate source,
            @Nullable Rate global,
            @DefaultValue("false") boolean shared,
            @DefaultValue("0s") Duration maxWait,
            @DefaultValue("10000") int maxWaiting,
            @DefaultValue("100000") int maxBuckets,
            @DefaultValue("8KB") DataSize chunk,
            @DefaultValue("1MB") DataSize maxHeld,
            @DefaultValue("60s") Duration writeTimeout,
            @DefaultValue("true") boolean rateLimitFields) {

        ThrottleSettings settings(String name) {
            ThrottleSettings settings = ThrottleSettings.named(name)
                    .withWaiting(maxWait)
                    .withMaxWaiting(maxWaiting)
                    .withMaxBuckets(maxBuckets);
            settings = with(settings, ThrottleScope.PRINCIPAL, principal);
            settings = with(settings, ThrottleScope.SOURCE, source);
            return with(settings, ThrottleScope.GLOBAL, global);
        }

        private static ThrottleSettings with(ThrottleSettings settings, ThrottleScope scope, @Nullable Rate rate) {
            return rate == null ? settings : settings.withRate(scope, rate.bucket());
        }

        boolean countsBytes() {
            return counts == Counts.RESPONSE_BYTES;
        }
    }

    /**
     * How fast, and how much at once.
     *
     * @param tokens requests or bytes, refilled evenly in each {@code per}
     * @param per the time in which they are refilled
     * @param burst what passes at once after a pause; a hundredth of a second's tokens, at least 1, where it is not set
     */
    record Rate(
            long tokens,
            @DefaultValue("1s") Duration per,
            @Nullable Long burst) {

        /** @throws IllegalArgumentException if a value is out of its range */
        BucketRate bucket() {
            BucketRate smooth = BucketRate.of(tokens, per);
            return burst == null ? smooth : smooth.withBurst(burst);
        }
    }

    /**
     * The client IP, and the key of what nodes share.
     *
     * @param trustedProxies networks (CIDR) whose forwarding header is believed
     * @param forwardingHeader the one header that they write
     * @param shared the key of what nodes share
     */
    record Guard(
            @DefaultValue List<String> trustedProxies,
            @DefaultValue("x-forwarded-for") ForwardingHeader forwardingHeader,
            @DefaultValue Shared shared) {

        /**
         * @return undecided where no proxy is named
         * @throws ThrottleConfigurationException if a name is no network
         */
        TrustedProxies proxies() {
            try {
                return trustedProxies.isEmpty()
                        ? TrustedProxies.undecided()
                        : TrustedProxies.of(forwardingHeader, trustedProxies);
            } catch (IllegalArgumentException e) {
                throw new ThrottleConfigurationException(
                        "latchkey.guard.trusted-proxies: " + e.getMessage(),
                        "Write networks as 10.0.0.0/8 or fd00::/8.");
            }
        }
    }

    /**
     * The key of what nodes share.
     *
     * @param secret the key under which callers and addresses are digested, a text of at least 32 bytes and the same on each node; better kept in a
     *     file
     * @param secretFile the file that holds this key in Base64
     */
    record Shared(@Nullable Secret secret, @Nullable Path secretFile) {}

    /**
     * The place of shared throttles.
     *
     * @param keyPrefix what each key begins with; services that share no rates need different ones
     * @param timeout how long a call may take before it is an outage
     */
    record Redis(
            @DefaultValue("latchkey:") String keyPrefix,
            @DefaultValue("1s") Duration timeout) {}

    private static void requireSense(String name, Endpoints endpoints) {
        String key = "latchkey.throttle." + name;
        try {
            if (endpoints.settings(name).rates().isEmpty()) {
                throw new ThrottleConfigurationException(
                        key + " limits nothing",
                        "Set at least one of " + key + ".principal.tokens, " + key + ".source.tokens and " + key
                                + ".global.tokens, or remove " + key + ".");
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ThrottleConfigurationException(
                    key + ": " + e.getMessage(), "Correct the values under " + key + ".");
        }
        if (endpoints.countsBytes() && endpoints.maxWait().isZero()) {
            throw new ThrottleConfigurationException(
                    key + " counts the bytes of bodies and lets nothing wait, so that a body could only be cut off",
                    "Set " + key + ".max-wait, say to 30s.");
        }
        if (endpoints.chunk().toBytes() < SMALLEST_CHUNK
                || endpoints.chunk().toBytes() > endpoints.maxHeld().toBytes()
                || endpoints.maxHeld().toBytes() > Integer.MAX_VALUE) {
            throw new ThrottleConfigurationException(
                    key + ".chunk is below " + SMALLEST_CHUNK + " bytes, or above " + key + ".max-held",
                    "Set " + key + ".chunk to some kilobytes, and " + key + ".max-held to what one response may hold.");
        }
        if (endpoints.writeTimeout().isNegative() || endpoints.writeTimeout().isZero()) {
            throw new ThrottleConfigurationException(
                    key + ".write-timeout must be longer than zero", "Set it, say to 60s, or remove it.");
        }
    }
}
