package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.spring.http.ReactiveAnswers;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.util.concurrent.CompletableFuture;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * {@link LatchkeyJwtDecoder} for WebFlux: the same answers, without blocking an event loop.
 *
 * <p>A check without waiting runs on the calling thread, because a switch of threads would cost more than the check. With a
 * remote store of revocations, the check runs on a blocking thread. A cancellation does not interrupt the check, because an
 * interrupted store looks like an outage.
 */
final class LatchkeyReactiveJwtDecoder implements ReactiveJwtDecoder, TokenRule {

    private final LatchkeyJwtDecoder decoder;
    private final boolean waits;

    private LatchkeyReactiveJwtDecoder(LatchkeyJwtDecoder decoder, boolean waits) {
        this.decoder = decoder;
        this.waits = waits;
    }

    static LatchkeyReactiveJwtDecoder of(LatchkeyJwtDecoder decoder, RevocationStore revocations) {
        return new LatchkeyReactiveJwtDecoder(decoder, !(revocations instanceof InMemoryRevocationStore));
    }

    @Override
    public Mono<Jwt> decode(String token) {
        return waits
                ? Mono.fromFuture(() -> decodeOn(Schedulers.boundedElastic(), token))
                        .publishOn(Schedulers.parallel())
                : Mono.fromCallable(() -> decoder.decode(token)).onErrorResume(ReactiveAnswers::fail);
    }

    @Override
    public boolean accepts(String token, VerifiedJwt jwt) {
        return decoder.accepts(token, jwt);
    }

    private CompletableFuture<Jwt> decodeOn(Scheduler threads, String token) {
        return CompletableFuture.supplyAsync(() -> decoder.decode(token), threads::schedule);
    }
}
