package dev.latchkey.examples.quickstart;

import dev.latchkey.auth.engine.AuthChain;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.UserDetailsManager;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The actions of a user: see the current account, change the password, and log out everywhere. */
@RestController
@RequestMapping("/api/me")
class AccountController {

    private final UserDetailsManager accounts;
    private final PasswordEncoder encoder;
    private final AuthChain plugins;

    AccountController(UserDetailsManager accounts, PasswordEncoder encoder, AuthChain plugins) {
        this.accounts = accounts;
        this.encoder = encoder;
        this.plugins = plugins;
    }

    record Me(String name, List<String> authorities) {}

    record PasswordChange(String oldPassword, String newPassword) {
        @Override
        public String toString() {
            return "PasswordChange[****]";
        }
    }

    @GetMapping
    Me me(Authentication authentication) {
        List<String> authorities = authentication.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .sorted()
                .toList();
        return new Me(authentication.getName(), authorities);
    }

    /**
     * Tokens issued before end with the old password. Basic requests with the old password are refused at once, with or without
     * a cache.
     */
    @PutMapping("/password")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void changePassword(Authentication authentication, @RequestBody PasswordChange change) {
        String name = authentication.getName();
        String storedHash = accounts.loadUserByUsername(name).getPassword();
        if (!encoder.matches(change.oldPassword(), storedHash)) {
            throw new ResponseStatusException(HttpStatus.FORBIDDEN, "The old password is wrong");
        }
        if (!isLongEnough(change.newPassword())) {
            throw new ResponseStatusException(
                    HttpStatus.UNPROCESSABLE_CONTENT, "A password has 15 characters to 72 bytes");
        }
        accounts.changePassword(change.oldPassword(), encoder.encode(change.newPassword()));
        plugins.revokeAll(name, Instant.now());
    }

    /** BCrypt takes no more bytes. */
    private static boolean isLongEnough(@Nullable String password) {
        return password != null && password.length() >= 15 && password.getBytes(StandardCharsets.UTF_8).length <= 72;
    }

    /** Each token of the account is worthless from now on, on every device; the password stays good. */
    @DeleteMapping("/logins")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void logOutEverywhere(Authentication authentication) {
        plugins.revokeAll(authentication.getName(), Instant.now());
    }
}
