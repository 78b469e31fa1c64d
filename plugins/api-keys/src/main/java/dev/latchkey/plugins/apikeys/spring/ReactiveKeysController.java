package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.engine.CurrentLogin;
import java.security.Principal;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** {@link KeyEndpoint} in WebFlux, on blocking threads. */
@RestController
@RequestMapping(KeyEndpoint.PATH)
final class ReactiveKeysController {

    private final KeyEndpoint endpoint;

    ReactiveKeysController(KeyEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @GetMapping
    Mono<ResponseEntity<Object>> list(@Nullable Principal user) {
        return run(() -> endpoint.list(user));
    }

    @PostMapping
    Mono<ResponseEntity<Object>> issue(
            @Nullable Principal user, @RequestBody ConfidentialFields<Object> body, ServerWebExchange exchange) {
        return run(() -> endpoint.issue(user, body, ReactiveFields.of(exchange)));
    }

    @PostMapping("/{id}/rotate")
    Mono<ResponseEntity<Object>> rotate(
            @Nullable Principal user,
            @PathVariable("id") String id,
            @RequestBody ConfidentialFields<Object> body,
            ServerWebExchange exchange) {
        return run(() -> endpoint.rotate(user, id, body, ReactiveFields.of(exchange)));
    }

    @PatchMapping("/{id}")
    Mono<ResponseEntity<Object>> rename(
            @Nullable Principal user, @PathVariable("id") String id, @RequestBody ConfidentialFields<Object> body) {
        return run(() -> endpoint.rename(user, id, body));
    }

    @DeleteMapping("/{id}")
    Mono<ResponseEntity<Object>> revoke(@Nullable Principal user, @PathVariable("id") String id) {
        return run(() -> endpoint.revoke(user, id));
    }

    private static <T> Mono<T> run(Callable<T> question) {
        return Mono.<T>deferContextual(context -> {
                    CurrentLogin request =
                            context.<CurrentLogin>getOrEmpty(CurrentLogin.class).orElse(CurrentLogin.NONE);
                    return Mono.fromCallable(() -> request.call(question));
                })
                .subscribeOn(Schedulers.boundedElastic())
                .publishOn(Schedulers.parallel());
    }
}
