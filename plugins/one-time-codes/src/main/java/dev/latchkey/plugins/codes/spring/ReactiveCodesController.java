package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.engine.CurrentLogin;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** {@link CodesEndpoint} in a WebFlux service, on blocking threads. */
@RestController
record ReactiveCodesController(CodesEndpoint endpoint)
        implements CodesPaths<Mono<ResponseEntity<Map<String, Object>>>> {

    /** The limits of the login find the client IP in the context of the subscriber. */
    @Override
    public Mono<ResponseEntity<Map<String, Object>>> answer(Supplier<ResponseEntity<Map<String, Object>>> question) {
        return Mono.deferContextual(context -> {
                    CurrentLogin request =
                            context.<CurrentLogin>getOrEmpty(CurrentLogin.class).orElse(CurrentLogin.NONE);
                    return Mono.fromCallable(() -> request.call(question::get));
                })
                .subscribeOn(Schedulers.boundedElastic())
                .publishOn(Schedulers.parallel());
    }
}
