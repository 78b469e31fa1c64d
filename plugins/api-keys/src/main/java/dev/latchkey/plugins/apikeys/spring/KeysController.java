package dev.latchkey.plugins.apikeys.spring;

import java.util.function.Supplier;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** {@link KeyEndpoint} in a servlet service. */
@RestController
record KeysController(KeyEndpoint endpoint) implements KeyPaths<ResponseEntity<Object>> {

    @Override
    public ResponseEntity<Object> answer(Supplier<ResponseEntity<Object>> question) {
        return question.get();
    }
}
