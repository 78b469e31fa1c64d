package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.bucket.RateLimitFields;
import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.ThrottleScope;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The answer to a refused request. 429 means that the client has exceeded its own limit. 503 means that all clients
 * together have exceeded a limit, so a single client cannot help. Contains {@code Retry-After}, the {@code RateLimit}
 * fields, and an RFC 9457 problem with a type registered by draft-ietf-httpapi-ratelimit-headers.
 */
record ThrottleRefusal(ThrottleRule rule, ThrottleResult.Refused refused) {

    /** Header fields of the service's body, in lower case, besides those with the prefix {@code content-}. */
    private static final Set<String> OF_THE_BODY =
            Set.of("accept-ranges", "cache-control", "etag", "expires", "last-modified");

    /**
     * Answers instead of the service's body. Keeps all header fields except those {@link #isOfTheBody of the body}.
     *
     * @param response not committed
     */
    void replaceBody(HttpServletResponse response) throws IOException {
        Map<String, List<String>> kept = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : response.getHeaderNames()) {
            if (!isOfTheBody(name)) {
                kept.put(name, List.copyOf(response.getHeaders(name)));
            }
        }
        // No other method removes a field in Servlet 6.0.
        response.reset();
        kept.forEach((name, values) -> {
            // A server may set its own values again: Jetty the cookie of a new session, and no other cookie.
            List<String> present = List.copyOf(response.getHeaders(name));
            values.stream().filter(value -> !present.contains(value)).forEach(value -> response.addHeader(name, value));
        });
        writeTo(response);
    }

    /**
     * Whether a header field describes the service's body. A refusal keeps all other fields, such as cookies, CORS fields and
     * the fields of Spring Security.
     */
    static boolean isOfTheBody(String name) {
        String field = name.toLowerCase(Locale.ROOT);
        return OF_THE_BODY.contains(field)
                || (field.startsWith("content-") && !field.startsWith("content-security-policy"));
    }

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
