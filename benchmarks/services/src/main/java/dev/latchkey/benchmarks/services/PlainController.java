package dev.latchkey.benchmarks.services;

import java.security.Principal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The endpoint of Basic requests, and an endpoint without a login. */
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
