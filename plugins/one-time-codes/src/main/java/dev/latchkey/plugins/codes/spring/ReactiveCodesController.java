package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.engine.CurrentLogin;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** {@link CodesEndpoint} in a WebFlux service, on blocking threads. */
@RestController
record ReactiveCodesController(CodesEndpoint endpoint)
        implements CodesPaths<Mono<ResponseEntity<Map<String, Object>>>> {

    /**
     * The context of the subscriber has the client IP for the limits, and may have the tenant of the accounts. A client that
     * leaves does not interrupt the work, because an interrupted store looks like an outage.
     */
    @Override
    public Mono<ResponseEntity<Map<String, Object>>> answer(Supplier<ResponseEntity<Map<String, Object>>> question) {
        return Mono.deferContextual(context -> {
                    CurrentLogin request =
                            context.<CurrentLogin>getOrEmpty(CurrentLogin.class).orElse(CurrentLogin.NONE);
                    return Mono.fromFuture(
                            CompletableFuture.supplyAsync(
                                    () -> request.with(CurrentLogin.SUBSCRIBER, context)
                                            .supply(question),
                                    Schedulers.boundedElastic()::schedule),
                            true);
                })
                .publishOn(Schedulers.parallel());
    }
}
