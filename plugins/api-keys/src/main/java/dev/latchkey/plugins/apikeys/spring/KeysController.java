package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.engine.HeaderFields;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
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

/** {@link KeyEndpoint} in Spring MVC. */
@RestController
@RequestMapping(KeyEndpoint.PATH)
final class KeysController {

    private final KeyEndpoint endpoint;

    KeysController(KeyEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @GetMapping
    ResponseEntity<Object> list(@Nullable Principal user) {
        return endpoint.list(user);
    }

    @PostMapping
    ResponseEntity<Object> issue(
            @Nullable Principal user, @RequestBody ConfidentialFields<Object> body, HttpServletRequest request) {
        return endpoint.issue(user, body, headersOf(request));
    }

    @PostMapping("/{id}/rotate")
    ResponseEntity<Object> rotate(
            @Nullable Principal user,
            @PathVariable("id") String id,
            @RequestBody ConfidentialFields<Object> body,
            HttpServletRequest request) {
        return endpoint.rotate(user, id, body, headersOf(request));
    }

    @PatchMapping("/{id}")
    ResponseEntity<Object> rename(
            @Nullable Principal user, @PathVariable("id") String id, @RequestBody ConfidentialFields<Object> body) {
        return endpoint.rename(user, id, body);
    }

    @DeleteMapping("/{id}")
    ResponseEntity<Object> revoke(@Nullable Principal user, @PathVariable("id") String id) {
        return endpoint.revoke(user, id);
    }

    private static HeaderFields headersOf(HttpServletRequest request) {
        return name -> Collections.list(request.getHeaders(name));
    }
}
