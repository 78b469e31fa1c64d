package dev.latchkey.examples.quickstart;

import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.crypto.password.PasswordEncoder;
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

    private final JdbcClient jdbc;
    private final PasswordEncoder encoder;
    private final AuthChain plugins;

    AccountController(JdbcClient jdbc, PasswordEncoder encoder, AuthChain plugins) {
        this.jdbc = jdbc;
        this.encoder = encoder;
        this.plugins = plugins;
    }

    record Me(String name, List<String> authorities) {}

    /** @param responses for each second step of the account, such as {@code code} */
    record PasswordChange(Secret oldPassword, @Nullable String newPassword, Map<String, Secret> responses) {

        /** A text that is missing or malformed is answered 400. */
        @JsonCreator
        PasswordChange(String oldPassword, @Nullable String newPassword, @Nullable Map<String, String> responses) {
            this(Secret.of(oldPassword), newPassword, secretsIn(responses == null ? Map.of() : responses));
        }

        private static Map<String, Secret> secretsIn(Map<String, String> texts) {
            return texts.entrySet().stream().collect(toMap(Map.Entry::getKey, text -> Secret.of(text.getValue())));
        }

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
        if (!isLongEnough(change.newPassword())) {
            throw new ResponseStatusException(
                    HttpStatus.UNPROCESSABLE_CONTENT, "A password has 15 characters to 72 bytes");
        }
        String before = jdbc.sql("select password from users where username = ?")
                .param(name)
                .query(String.class)
                .single();
        if (!isProved(name, change)) {
            throw new ResponseStatusException(HttpStatus.FORBIDDEN, "The old password or the code is wrong");
        }
        // Before the update too: after an outage here, the client can repeat the request with the old password.
        plugins.revokeAll(name, Instant.now());
        // A second change with the same old password must not replace the first new password.
        int changed = jdbc.sql("update users set password = ? where username = ? and password = ?")
                .param(encoder.encode(change.newPassword()))
                .param(name)
                .param(before)
                .update();
        if (changed == 0) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "The password has changed meanwhile");
        }
        // A login with the old password may have come before the update.
        plugins.revokeAll(name, Instant.now());
    }

    /**
     * A token alone changes no password: a thief has the token. With {@code encoder.matches}, the thief could guess without a
     * limit, and an enrolled account would need no code.
     */
    private boolean isProved(String name, PasswordChange change) {
        PasswordCredentials login = new PasswordCredentials(name, change.oldPassword());
        Verdict verdict = plugins.prove(login, change.responses(), RequestContext.none(), ignored -> {});
        return verdict instanceof Authenticated proved && proved.subject().id().equals(name);
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
