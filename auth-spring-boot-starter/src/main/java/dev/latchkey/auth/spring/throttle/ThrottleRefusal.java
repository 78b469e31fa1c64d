package dev.latchkey.auth.spring.throttle;

import dev.latchkey.auth.guard.ThrottleScope;
import dev.latchkey.auth.guard.bucket.RateLimitFields;
import dev.latchkey.auth.guard.throttle.ThrottleResult;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.ServletAnswers;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * The answer to a caller that a throttle refuses: 429 where it exceeded a limit of its own, and 503 where all callers together did, which no caller
 * can help. It has {@code Retry-After}, the {@code RateLimit} fields, and an RFC 9457 problem of the types that draft-ietf-httpapi-ratelimit-headers
 * registers.
 */
record ThrottleRefusal(ThrottleRule rule, ThrottleResult.Refused refused) {

    void writeTo(HttpServletResponse response) throws IOException {
        response.resetBuffer();
        ServletAnswers.write(answer(), response);
    }

    Answer answer() {
        int status = isForEverybody() ? 503 : 429;
        String type = isForEverybody() ? RateLimitFields.REDUCED_CAPACITY : RateLimitFields.QUOTA_EXCEEDED;
        String title = isForEverybody() ? "Temporary Reduced Capacity" : "Quota Exceeded";
        Answer answer = Answer.ofProblem(
                        status,
                        "{\"type\":\"%s\",\"title\":\"%s\",\"status\":%d,\"violated-policies\":[\"%s\"]}"
                                .formatted(type, title, status, ThrottleFields.nameOf(rule, refused.scope())))
                .with(RateLimitFields.RETRY_AFTER, RateLimitFields.retryAfter(refused.retryAfter()));
        return ThrottleFields.of(rule, refused)
                .map(fields -> answer.with(RateLimitFields.RATE_LIMIT_POLICY, fields.policy())
                        .with(RateLimitFields.RATE_LIMIT, fields.limit()))
                .orElse(answer);
    }

    private boolean isForEverybody() {
        return refused.scope() == ThrottleScope.GLOBAL;
    }
}
