package dev.latchkey.benchmarks.plain;

import java.security.Principal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The only endpoint. */
@RestController
class GreetingController {

    @GetMapping("/hello")
    String hello(Principal caller) {
        return "Hello " + caller.getName();
    }
}
