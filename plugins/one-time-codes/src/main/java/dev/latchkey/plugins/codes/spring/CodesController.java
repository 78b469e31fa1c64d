package dev.latchkey.plugins.codes.spring;

import java.util.Map;
import java.util.function.Supplier;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** {@link CodesEndpoint} in a servlet service. */
@RestController
record CodesController(CodesEndpoint endpoint) implements CodesPaths<ResponseEntity<Map<String, Object>>> {

    @Override
    public ResponseEntity<Map<String, Object>> answer(Supplier<ResponseEntity<Map<String, Object>>> question) {
        return question.get();
    }
}
