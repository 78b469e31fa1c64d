package dev.latchkey.auth.test;

import dev.latchkey.auth.Subject;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the caller. */
@RestController
public class LibraryController {

    @GetMapping(value = "/me", produces = "text/plain")
    String me(@AuthenticationPrincipal Subject subject) {
        return subject.id() + " " + subject.claims();
    }

    @GetMapping(value = "/authentication", produces = "text/plain")
    String authentication(Authentication caller) {
        return caller.getName() + " by " + caller.getClass().getName();
    }

    @GetMapping(value = "/shelves", produces = "text/plain")
    String shelves(@AuthenticationPrincipal Subject subject) {
        return "shelves of " + subject.id();
    }
}
