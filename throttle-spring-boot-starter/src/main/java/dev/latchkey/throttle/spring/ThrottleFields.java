package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.RateLimitFields;
import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.ThrottleScope;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The header fields of a throttle's limit, for the client.
 *
 * @param policy value of {@code RateLimit-Policy}
 * @param limit value of {@code RateLimit}
 */
record ThrottleFields(String policy, String limit) {

    /**
     * The fields of the limit with the least room. Empty if the throttle shows no limit, or the limit was removed
     * meanwhile.
     */
    static Optional<ThrottleFields> of(ThrottleRule rule, ThrottleResult.Passed passed) {
        ThrottleScope scope = passed.scope();
        if (scope == null || !rule.endpoints().rateLimitFields()) {
            return Optional.empty();
        }
        return rule.throttle().rate(scope).map(rate -> of(rule, scope, rate, passed.remaining(), untilNextToken(rate)));
    }

    /** The fields of the refusing limit; empty if the limit was removed meanwhile. */
    static Optional<ThrottleFields> of(ThrottleRule rule, ThrottleResult.Refused refused) {
        return rule.throttle()
                .rate(refused.scope())
                .map(rate -> of(rule, refused.scope(), rate, 0, refused.retryAfter()));
    }

    private static ThrottleFields of(
            ThrottleRule rule, ThrottleScope scope, BucketRate rate, long remaining, Duration window) {
        String name = nameOf(rule, scope);
        String policy = rule.endpoints().countsBytes()
                ? RateLimitFields.policy(name, rate.tokens(), RateLimitFields.CONTENT_BYTES, rate.per())
                : RateLimitFields.policy(name, rate.tokens(), rate.per());
        return new ThrottleFields(policy, RateLimitFields.limit(name, remaining, window));
    }

    private static Duration untilNextToken(BucketRate rate) {
        return rate.per().dividedBy(rate.tokens());
    }

    static String nameOf(ThrottleRule rule, ThrottleScope scope) {
        return rule.name() + "-" + scope.name().toLowerCase(Locale.ROOT);
    }

    /** @param header takes a field's name and value; an existing field gets a further value */
    void addTo(BiConsumer<String, String> header) {
        header.accept(RateLimitFields.RATE_LIMIT_POLICY, policy);
        header.accept(RateLimitFields.RATE_LIMIT, limit);
    }
}
