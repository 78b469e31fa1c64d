package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.guard.HeldRefusals;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Writes rate-limited and overload answers of a reactive service late, because a client may retry at once. The answer to an
 * outage is written at once. Safe for use by any number of threads.
 */
public final class ReactiveRefusals {

    private final @Nullable HeldRefusals held;

    /**
     * @param held null to write each answer at once
     */
    public ReactiveRefusals(@Nullable HeldRefusals held) {
        this.held = held;
    }

    /**
     * Writes the answer to a failure, after {@link #hold holding} the answer.
     *
     * @param refusal 429 or 503, by its kind
     * @param exchange with a response without sent data
     * @return completes when the answer is written
     */
    public Mono<Void> write(AuthUnavailableException refusal, ServerWebExchange exchange) {
        return hold(refusal).then(ReactiveAnswers.write(Answer.of(refusal), exchange));
    }

    /**
     * Waits, without a thread, until the answer may be sent. Only the answers to overload and limits are held, because immediate
     * retries would add to the load.
     *
     * @param failure any exception; other failures are not held
     * @return completes when the answer may be sent: at once for other failures, or if the maximum number of answers is held
     */
    public Mono<Void> hold(Throwable failure) {
        if (held == null || !(failure instanceof AuthUnavailableException refusal) || refusal.kind() == Kind.OUTAGE) {
            return Mono.empty();
        }
        return Mono.create(sink -> {
            if (!held.hold(sink::success)) {
                sink.success();
            }
        });
    }
}
