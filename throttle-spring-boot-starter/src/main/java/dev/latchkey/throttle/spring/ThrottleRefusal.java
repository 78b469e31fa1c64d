package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.bucket.RateLimitFields;
import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.ThrottleScope;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The answer to a refused request. 429 means that the client has exceeded its own limit. 503 means that all clients
 * together have exceeded a limit, so a single client cannot help. Contains {@code Retry-After}, the {@code RateLimit}
 * fields, and an RFC 9457 problem with a type registered by draft-ietf-httpapi-ratelimit-headers.
 */
record ThrottleRefusal(ThrottleRule rule, ThrottleResult.Refused refused) {

    void writeTo(HttpServletResponse response) throws IOException {
        response.resetBuffer();
        response.setStatus(status());
        headers().forEach(response::setHeader);
        response.getOutputStream().write(body());
    }

    int status() {
        return isForAllCallers() ? 503 : 429;
    }

    Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/problem+json");
        headers.put("Cache-Control", "no-store");
        headers.put(RateLimitFields.RETRY_AFTER, RateLimitFields.retryAfter(refused.retryAfter()));
        ThrottleFields.of(rule, refused).ifPresent(fields -> fields.addTo(headers::put));
        return headers;
    }

    byte[] body() {
        String type = isForAllCallers() ? RateLimitFields.REDUCED_CAPACITY : RateLimitFields.QUOTA_EXCEEDED;
        String title = isForAllCallers() ? "Temporary Reduced Capacity" : "Quota Exceeded";
        return String.format(
                        Locale.ROOT,
                        "{\"type\":\"%s\",\"title\":\"%s\",\"status\":%d,\"violated-policies\":[\"%s\"]}",
                        type,
                        title,
                        status(),
                        ThrottleFields.nameOf(rule, refused.scope()))
                .getBytes(StandardCharsets.US_ASCII);
    }

    private boolean isForAllCallers() {
        return refused.scope() == ThrottleScope.GLOBAL;
    }
}
