package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.guard.HeldRefusals;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Writes the refusals of a reactive service. One that a client might answer by coming back at once is written late; an outage is told at once. Safe
 * for use by any number of threads.
 */
public final class ReactiveRefusals {

    private final @Nullable HeldRefusals held;

    /** @param held null to write each at once */
    public ReactiveRefusals(@Nullable HeldRefusals held) {
        this.held = held;
    }

    /**
     * Writes a refusal, after {@link #hold holding} it.
     *
     * @param refusal 429 or 503, by its kind
     * @param exchange of whose response nothing has been sent
     * @return completes when the refusal is written
     */
    public Mono<Void> write(AuthUnavailableException refusal, ServerWebExchange exchange) {
        return hold(refusal).then(ReactiveAnswers.write(Answer.of(refusal), exchange));
    }

    /**
     * Waits, without a thread, until a caller may be told. Only what a client that comes back at once would add to is held: refusals for overload and
     * limits.
     *
     * @param failure any; what is no such refusal is not held
     * @return completes when the caller may be told: at once where it is not held, or where as many are held already as may be
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
