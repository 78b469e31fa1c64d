package dev.latchkey.plugins.codes.spring;

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

/** {@link CodesEndpoint} in a servlet service. */
@RestController
@RequestMapping(CodesEndpoint.PATH)
final class CodesController {

    private final CodesEndpoint endpoint;

    CodesController(CodesEndpoint endpoint) {
        this.endpoint = endpoint;
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

    @DeleteMapping
    ResponseEntity<Map<String, Object>> disable(
            @Nullable Principal user, @RequestBody ConfidentialFields<String> body, HttpServletRequest request) {
        return endpoint.disable(user, body, headersOf(request));
    }

    @GetMapping("/devices")
    ResponseEntity<Map<String, Object>> devices(@Nullable Principal user) {
        return endpoint.devices(user);
    }

    @DeleteMapping("/devices/{id}")
    ResponseEntity<Map<String, Object>> forget(@Nullable Principal user, @PathVariable("id") String id) {
        return endpoint.forget(user, id);
    }

    @DeleteMapping("/devices")
    ResponseEntity<Map<String, Object>> forgetAll(@Nullable Principal user) {
        return endpoint.forgetAll(user);
    }

    private static HeaderFields headersOf(HttpServletRequest request) {
        return name -> Collections.list(request.getHeaders(name));
    }
}
