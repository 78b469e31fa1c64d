package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.engine.HeaderFields;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** {@link CodesEndpoint} in a WebFlux service, on blocking threads. */
@RestController
@RequestMapping(CodesEndpoint.PATH)
final class ReactiveCodesController {

    private final CodesEndpoint endpoint;

    ReactiveCodesController(CodesEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @PostMapping
    Mono<ResponseEntity<Map<String, Object>>> begin(
            @Nullable Principal user, @RequestBody ConfidentialFields<String> body, ServerHttpRequest request) {
        return onAThread(() -> endpoint.begin(user, body, headersOf(request)));
    }

    @PostMapping("/confirm")
    Mono<ResponseEntity<Map<String, Object>>> confirm(
            @Nullable Principal user, @RequestBody ConfidentialFields<String> body) {
        return onAThread(() -> endpoint.confirm(user, body));
    }

    @DeleteMapping
    Mono<ResponseEntity<Map<String, Object>>> disable(
            @Nullable Principal user, @RequestBody ConfidentialFields<String> body, ServerHttpRequest request) {
        return onAThread(() -> endpoint.disable(user, body, headersOf(request)));
    }

    @GetMapping("/devices")
    Mono<ResponseEntity<Map<String, Object>>> devices(@Nullable Principal user) {
        return onAThread(() -> endpoint.devices(user));
    }

    @DeleteMapping("/devices/{id}")
    Mono<ResponseEntity<Map<String, Object>>> forget(@Nullable Principal user, @PathVariable("id") String id) {
        return onAThread(() -> endpoint.forget(user, id));
    }

    @DeleteMapping("/devices")
    Mono<ResponseEntity<Map<String, Object>>> forgetAll(@Nullable Principal user) {
        return onAThread(() -> endpoint.forgetAll(user));
    }

    private static <T> Mono<T> onAThread(Callable<T> work) {
        return Mono.<T>deferContextual(context -> {
                    CurrentLogin request =
                            context.<CurrentLogin>getOrEmpty(CurrentLogin.class).orElse(CurrentLogin.NONE);
                    return Mono.fromCallable(() -> request.call(work));
                })
                .subscribeOn(Schedulers.boundedElastic())
                .publishOn(Schedulers.parallel());
    }

    /** Uses a method that is equal in Spring Framework 6 and 7. */
    private static HeaderFields headersOf(ServerHttpRequest request) {
        HttpHeaders headers = request.getHeaders();
        return name -> {
            List<String> values = new ArrayList<>();
            headers.forEach((each, given) -> {
                if (each.equalsIgnoreCase(name)) {
                    values.addAll(given);
                }
            });
            return values;
        };
    }
}
