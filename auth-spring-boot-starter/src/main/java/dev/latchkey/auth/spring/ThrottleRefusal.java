package dev.latchkey.auth.spring;

import dev.latchkey.auth.guard.BucketRate;
import dev.latchkey.auth.guard.Passage;
import dev.latchkey.auth.guard.RateLimitFields;
import dev.latchkey.auth.guard.ThrottleScope;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What a throttled caller is told: 429 where it exceeded a limit of its own, 503 where all together did, which no caller can
 * help. With {@code Retry-After}, the {@code RateLimit} fields, and an RFC 9457 problem of the types that
 * draft-ietf-httpapi-ratelimit-headers registers.
 */
record ThrottleRefusal(ThrottleRule rule, Passage.Refused refused) {

    void writeTo(HttpServletResponse response) throws IOException {
        boolean everybody = refused.scope() == ThrottleScope.GLOBAL;
        String policy = rule.name() + "-" + refused.scope().name().toLowerCase(Locale.ROOT);
        response.resetBuffer();
        response.setStatus(everybody ? HttpServletResponse.SC_SERVICE_UNAVAILABLE : 429);
        response.setHeader(RateLimitFields.RETRY_AFTER, RateLimitFields.retryAfter(refused.retryAfter()));
        response.setHeader("Cache-Control", "no-store");
        tellPolicy(policy, response);
        byte[] body = (everybody
                        ? problem(RateLimitFields.REDUCED_CAPACITY, "Temporary Reduced Capacity", 503, policy)
                        : problem(RateLimitFields.QUOTA_EXCEEDED, "Quota Exceeded", 429, policy))
                .getBytes(StandardCharsets.US_ASCII);
        response.setContentType("application/problem+json");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private void tellPolicy(String policy, HttpServletResponse response) {
        BucketRate rate = rule.throttle().snapshot().rates().get(refused.scope());
        if (rate == null) {
            return; // It was removed since.
        }
        String quota = rule.endpoints().countsBytes()
                ? RateLimitFields.policy(policy, rate.tokens(), RateLimitFields.CONTENT_BYTES, rate.per())
                : RateLimitFields.policy(policy, rate.tokens(), rate.per());
        response.setHeader(RateLimitFields.RATE_LIMIT_POLICY, quota);
        response.setHeader(RateLimitFields.RATE_LIMIT, RateLimitFields.limit(policy, 0, refused.retryAfter()));
    }

    private static String problem(String type, String title, int status, String policy) {
        return "{\"type\":\"%s\",\"title\":\"%s\",\"status\":%d,\"violated-policies\":[\"%s\"]}"
                .formatted(type, title, status, policy);
    }
}
