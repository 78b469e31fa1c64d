package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.engine.HeaderFields;
import java.security.Principal;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.InputStreamResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * The paths of {@link CodesEndpoint}, alike on servlets and on WebFlux. A client that does not accept JSON gets 406 before any effect.
 *
 * @param <R> the answer as the stack takes it
 */
@RequestMapping(path = CodesEndpoint.PATH, produces = MediaType.APPLICATION_JSON_VALUE)
interface CodesPaths<R> {

    CodesEndpoint endpoint();

    /** Asks on a thread that may wait. */
    R answer(Supplier<ResponseEntity<Map<String, Object>>> question);

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    default R begin(
            @Nullable Principal user, @RequestBody InputStreamResource body, @RequestHeader HttpHeaders headers) {
        return answer(() -> endpoint().begin(user, body::getInputStream, HeaderFields.of(headers::forEach)));
    }

    @PostMapping(path = "/confirm", consumes = MediaType.APPLICATION_JSON_VALUE)
    default R confirm(
            @Nullable Principal user, @RequestBody InputStreamResource body, @RequestHeader HttpHeaders headers) {
        return answer(() -> endpoint().confirm(user, body::getInputStream, HeaderFields.of(headers::forEach)));
    }

    @DeleteMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    default R disable(
            @Nullable Principal user, @RequestBody InputStreamResource body, @RequestHeader HttpHeaders headers) {
        return answer(() -> endpoint().disable(user, body::getInputStream, HeaderFields.of(headers::forEach)));
    }

    @GetMapping("/devices")
    default R devices(@Nullable Principal user) {
        return answer(() -> endpoint().devices(user));
    }

    @DeleteMapping("/devices/{id}")
    default R forget(@Nullable Principal user, @PathVariable("id") String id) {
        return answer(() -> endpoint().forget(user, id));
    }

    @DeleteMapping("/devices")
    default R forgetAll(@Nullable Principal user) {
        return answer(() -> endpoint().forgetAll(user));
    }
}
