package dev.latchkey.examples.nodes;

import java.security.Principal;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The service. The code does not depend on the number of nodes. */
@SpringBootApplication
@RestController
class NodeApplication {

    private final String node;

    NodeApplication(@Value("${spring.application.name}") String node) {
        this.node = node;
    }

    record Me(String name, String node) {}

    @GetMapping("/api/me")
    Me me(Principal caller) {
        return new Me(caller.getName(), node);
    }
}
