package dev.latchkey.throttle.spring;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.source.ForwardingHeader;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.ThrottleSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The throttles of a service's endpoints, under {@code latchkey.throttle.*}, and the settings of proxies, keys and
 * Redis. Login limits use the same settings.
 *
 * @param throttle each throttle by its name, as in metrics, header fields and the actuator: 1 to 64 lower-case letters,
 *     digits and hyphens
 * @param guard the client IP, and the key of shared throttles
 * @param redis the location of shared throttles
 */
@ConfigurationProperties("latchkey")
record ThrottleProperties(
        @DefaultValue Map<String, Endpoints> throttle,
        @DefaultValue Guard guard,
        @DefaultValue Redis redis) {

    private static final int SMALLEST_CHUNK = 64;

    /**
     * Rejects throttles without a limit, and contradictory values.
     *
     * @throws ThrottleConfigurationException for a rejected throttle; the message names its property
     */
    ThrottleProperties {
        throttle = Map.copyOf(throttle);
        throttle.forEach(ThrottleProperties::requireSense);
    }

    /** The unit of a throttle. */
    enum Counts {
        /** Each request costs 1. */
        REQUESTS,
        /** Each byte of a response's body costs 1, before compression by the server. */
        RESPONSE_BYTES
    }

    /**
     * A throttle and its endpoints.
     *
     * @param paths patterns with {@code *} and {@code **}, for the path below the context path
     * @param counts the counted unit
     * @param principal rate of each authenticated user; without a value no limit
     * @param source rate of each IPv4 address or IPv6 /64 network; without a value no limit
     * @param global rate of all requests together; without a value no limit
     * @param shared whether all nodes share the rates, in the service's Redis with auth-redis on the class path, or in
     *     a PortionStore bean; otherwise each node has its own rates
     * @param maxWait the longest wait of a request, or of the next piece of a body; zero refuses immediately
     * @param maxWaiting the limit of waiting requests for each bucket; further requests are refused
     * @param maxBuckets the limit of remembered users, and of remembered client IPs; the least used are forgotten first
     * @param chunk the size of a piece of a body
     * @param maxHeld the memory of a waiting response; all responses together have an eighth of the heap. A longer body
     *     blocks its writing thread. A body without any room is refused
     * @param writeTimeout a response is given up if its client reads nothing for this time
     * @param rateLimitFields whether passed requests show their limit and its remaining tokens, in the fields
     *     {@code RateLimit} and {@code RateLimit-Policy}; a byte-counting throttle shows them only in a refusal
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
     * A rate and its burst.
     *
     * @param tokens requests or bytes, refilled evenly during each {@code per}
     * @param per the time of a full refill
     * @param burst the number of tokens at once after a pause; the default is the tokens of a hundredth of a second, at
     *     least 1
     */
    record Rate(
            long tokens,
            @DefaultValue("1s") Duration per,
            @Nullable Long burst) {

        /** @throws IllegalArgumentException if a value is outside its range */
        BucketRate bucket() {
            BucketRate smooth = BucketRate.of(tokens, per);
            return burst == null ? smooth : smooth.withBurst(burst);
        }
    }

    /**
     * The client IP, and the key of shared throttles.
     *
     * @param trustedProxies networks (CIDR) with a trusted forwarding header
     * @param forwardingHeader the header that these proxies write
     * @param shared the key of shared throttles
     */
    record Guard(
            @DefaultValue List<String> trustedProxies,
            @DefaultValue("x-forwarded-for") ForwardingHeader forwardingHeader,
            @DefaultValue Shared shared) {

        /**
         * @return undecided if no proxy is configured
         * @throws ThrottleConfigurationException if a text is not a network
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
     * The key of shared throttles.
     *
     * @param secret the key for digests of user names and client IPs, the same on each node: a text of at least 32 bytes,
     *     or better file: and the path of a key in Base64
     */
    record Shared(@Nullable Secret secret) {}

    /**
     * The location of shared throttles.
     *
     * @param timeout the longest duration of a call; a longer call is an outage
     */
    record Redis(@DefaultValue("1s") Duration timeout) {}

    private static void requireSense(String name, Endpoints endpoints) {
        String key = "latchkey.throttle." + name;
        requirePaths(key, endpoints.paths());
        requireSeconds(key + ".principal", endpoints.principal());
        requireSeconds(key + ".source", endpoints.source());
        requireSeconds(key + ".global", endpoints.global());
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
                    key + " counts the bytes of bodies without a wait, so a body above the rate would be cut off",
                    "Set " + key + ".max-wait, for example to 30s.");
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
                    key + ".write-timeout must be longer than zero",
                    "Set the property, for example to 60s, or remove the property.");
        }
    }

    /** Another pattern matches no request, or fails at each request. */
    private static void requirePaths(String key, List<String> paths) {
        if (paths.isEmpty() || !paths.stream().allMatch(path -> path.matches("/[^{}\\s]*"))) {
            throw new ThrottleConfigurationException(
                    key + ".paths is " + paths
                            + ", and each pattern must begin with a slash, without braces and spaces",
                    "Write patterns such as /reports/**, or remove " + key + ".paths for all requests.");
        }
    }

    /** A shorter time comes from a number without a unit: Boot reads milliseconds. */
    private static void requireSeconds(String key, @Nullable Rate rate) {
        if (rate != null && rate.per().compareTo(Duration.ofSeconds(1)) < 0) {
            throw new ThrottleConfigurationException(
                    key + ".per is below a second", "Write the unit, as in " + key + ".per=1s.");
        }
    }
}
