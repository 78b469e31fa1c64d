package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.engine.HeaderFields;
import java.security.Principal;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.InputStreamResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * The paths of {@link KeyEndpoint}, alike on servlets and on WebFlux. A client that does not accept JSON gets 406 before any effect.
 *
 * @param <R> the answer as the stack takes it
 */
@RequestMapping(path = KeyEndpoint.PATH, produces = MediaType.APPLICATION_JSON_VALUE)
interface KeyPaths<R> {

    KeyEndpoint endpoint();

    /** Asks on a thread that may wait. */
    R answer(Supplier<ResponseEntity<Object>> question);

    @GetMapping
    default R list(@Nullable Principal user) {
        return answer(() -> endpoint().list(user));
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    default R issue(
            @Nullable Principal user, @RequestBody InputStreamResource body, @RequestHeader HttpHeaders headers) {
        return answer(() -> endpoint().issue(user, body::getInputStream, HeaderFields.of(headers::forEach)));
    }

    @PostMapping(path = "/{id}/rotate", consumes = MediaType.APPLICATION_JSON_VALUE)
    default R rotate(
            @Nullable Principal user,
            @PathVariable("id") String id,
            @RequestBody InputStreamResource body,
            @RequestHeader HttpHeaders headers) {
        return answer(() -> endpoint().rotate(user, id, body::getInputStream, HeaderFields.of(headers::forEach)));
    }

    @PatchMapping(path = "/{id}", consumes = MediaType.APPLICATION_JSON_VALUE)
    default R rename(@Nullable Principal user, @PathVariable("id") String id, @RequestBody InputStreamResource body) {
        return answer(() -> endpoint().rename(user, id, body::getInputStream));
    }

    @DeleteMapping("/{id}")
    default R revoke(@Nullable Principal user, @PathVariable("id") String id) {
        return answer(() -> endpoint().revoke(user, id));
    }
}
