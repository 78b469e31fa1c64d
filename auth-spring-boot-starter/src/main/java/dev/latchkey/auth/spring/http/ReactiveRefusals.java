package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.guard.HeldRefusals;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Writes refusals of logins in a reactive service: late, where that does not hold up an outage. */
public final class ReactiveRefusals {

    private final @Nullable HeldRefusals held;

    /** @param held null to write each at once */
    public ReactiveRefusals(@Nullable HeldRefusals held) {
        this.held = held;
    }

    public Mono<Void> write(AuthUnavailableException refusal, ServerWebExchange exchange) {
        return hold(refusal).then(ReactiveAnswers.write(Answer.of(refusal), exchange));
    }

    /** Completes when a caller may be told. Only what a client that comes back at once would add to is held. */
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
