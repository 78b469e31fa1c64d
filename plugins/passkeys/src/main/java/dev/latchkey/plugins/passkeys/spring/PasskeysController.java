package dev.latchkey.plugins.passkeys.spring;

import dev.latchkey.auth.engine.HeaderFields;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@link PasskeysEndpoint} in a servlet service. */
@RestController
@RequestMapping(PasskeysEndpoint.PATH)
final class PasskeysController {

    private final PasskeysEndpoint endpoint;

    PasskeysController(PasskeysEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @PostMapping("/challenge")
    ResponseEntity<Map<String, Object>> challenge() {
        return endpoint.challenge();
    }

    @PostMapping("/proof")
    ResponseEntity<Map<String, Object>> proof(@Nullable Principal user) {
        return endpoint.proof(user);
    }

    @PostMapping
    ResponseEntity<Map<String, Object>> begin(
            @Nullable Principal user, @RequestBody ConfidentialFields<String> body, HttpServletRequest request) {
        return endpoint.begin(user, body, headersOf(request));
    }

    @PostMapping("/confirm")
    ResponseEntity<Map<String, Object>> confirm(
            @Nullable Principal user, @RequestBody ConfidentialFields<String> body) {
        return endpoint.confirm(user, body);
    }

    @GetMapping
    ResponseEntity<Map<String, Object>> list(@Nullable Principal user) {
        return endpoint.list(user);
    }

    @DeleteMapping("/{id}")
    ResponseEntity<Map<String, Object>> remove(
            @Nullable Principal user,
            @PathVariable("id") String id,
            @RequestBody ConfidentialFields<String> body,
            HttpServletRequest request) {
        return endpoint.remove(user, id, body, headersOf(request));
    }

    private static HeaderFields headersOf(HttpServletRequest request) {
        return name -> Collections.list(request.getHeaders(name));
    }
}
