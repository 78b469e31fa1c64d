package dev.latchkey.plugins.passkeys.spring;

import java.util.Map;
import java.util.function.Supplier;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** {@link PasskeysEndpoint} in a servlet service. */
@RestController
record PasskeysController(PasskeysEndpoint endpoint) implements PasskeysPaths<ResponseEntity<Map<String, Object>>> {

    @Override
    public ResponseEntity<Map<String, Object>> answer(Supplier<ResponseEntity<Map<String, Object>>> question) {
        return question.get();
    }
}
