package dev.latchkey.benchmarks.services;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.AuthenticationException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** A login with a name and a password, and two endpoints with a token. */
@RestController
class TokenController {

    private final AuthenticationManager passwords;
    private final Tokens tokens;
    private final int verifications;

    TokenController(AuthenticationManager passwords, Tokens tokens, SubjectProperties subject) {
        this.passwords = passwords;
        this.tokens = tokens;
        this.verifications = subject.verifications();
    }

    @PostMapping("/login")
    Map<String, Object> login(@RequestParam String username, @RequestParam String password) {
        try {
            String name = passwords
                    .authenticate(UsernamePasswordAuthenticationToken.unauthenticated(username, password))
                    .getName();
            return Map.of(
                    "access_token", tokens.issue(name), "expires_in", Tokens.LIFETIME.toSeconds(), "username", name);
        } catch (AuthenticationException e) {
            throw new ResponseStatusException(HttpStatus.FORBIDDEN, "unknown user or wrong password", e);
        }
    }

    /** The authorisation check of the modelled server reads the token a second time. */
    @GetMapping("/query")
    Map<String, Object> query(HttpServletRequest request, Principal caller) {
        if (verifications > 1) {
            // The caller has sent a token.
            String token = request.getHeader("Authorization").substring("Bearer ".length());
            if (!caller.getName().equals(tokens.subjectOf(token))) {
                throw new ResponseStatusException(HttpStatus.FORBIDDEN);
            }
        }
        return Map.of("name", "orders", "group", "DEFAULT_GROUP", "healthy", true, "caller", caller.getName());
    }

    @GetMapping("/profile")
    Map<String, Object> profile(Principal caller) {
        return Map.of("name", caller.getName(), "language", "en", "theme", "dark");
    }
}
