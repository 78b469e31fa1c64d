package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.spring.http.ReactiveAnswers;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * {@link LatchkeyJwtDecoder} for WebFlux: the same answers, without blocking an event loop.
 *
 * <p>A check without waiting runs on the calling thread, because a switch of threads would cost more than the check. With a
 * remote store of revocations, the check runs on a blocking thread.
 */
final class LatchkeyReactiveJwtDecoder implements ReactiveJwtDecoder {

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
        Mono<Jwt> decoded = Mono.fromCallable(() -> decoder.decode(token));
        return waits
                ? decoded.subscribeOn(Schedulers.boundedElastic()).publishOn(Schedulers.parallel())
                : decoded.onErrorResume(ReactiveAnswers::fail);
    }
}
