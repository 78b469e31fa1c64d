package dev.latchkey.benchmarks.services;

import java.security.Principal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What Basic requests ask for, and an endpoint that has nothing to do with logins. */
@RestController
class PlainController {

    @GetMapping("/basic/hello")
    String hello(Principal caller) {
        return "Hello " + caller.getName();
    }

    @GetMapping("/public/ping")
    String ping() {
        return "pong";
    }
}
