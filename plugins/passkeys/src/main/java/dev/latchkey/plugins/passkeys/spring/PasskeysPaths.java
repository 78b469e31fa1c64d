package dev.latchkey.plugins.passkeys.spring;

import dev.latchkey.auth.engine.ConfidentialFields;
import dev.latchkey.auth.engine.HeaderFields;
import java.security.Principal;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * The paths of {@link PasskeysEndpoint}, alike on servlets and on WebFlux.
 *
 * @param <R> the answer as the stack takes it
 */
@RequestMapping(PasskeysEndpoint.PATH)
interface PasskeysPaths<R> {

    PasskeysEndpoint endpoint();

    /** Asks on a thread that may wait. */
    R answer(Supplier<ResponseEntity<Map<String, Object>>> question);

    @PostMapping("/challenge")
    default R challenge() {
        return answer(endpoint()::challenge);
    }

    @PostMapping("/proof")
    default R proof(@Nullable Principal user) {
        return answer(() -> endpoint().proof(user));
    }

    @PostMapping
    default R begin(
            @Nullable Principal user,
            @RequestBody ConfidentialFields<String> body,
            @RequestHeader HttpHeaders headers) {
        return answer(() -> endpoint().begin(user, body, HeaderFields.of(headers::forEach)));
    }

    @PostMapping("/confirm")
    default R confirm(@Nullable Principal user, @RequestBody ConfidentialFields<String> body) {
        return answer(() -> endpoint().confirm(user, body));
    }

    @GetMapping
    default R list(@Nullable Principal user) {
        return answer(() -> endpoint().list(user));
    }

    @DeleteMapping("/{id}")
    default R remove(
            @Nullable Principal user,
            @PathVariable("id") String id,
            @RequestBody ConfidentialFields<String> body,
            @RequestHeader HttpHeaders headers) {
        return answer(() -> endpoint().remove(user, id, body, HeaderFields.of(headers::forEach)));
    }
}
