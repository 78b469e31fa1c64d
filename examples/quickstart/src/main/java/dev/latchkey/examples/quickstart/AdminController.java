package dev.latchkey.examples.quickstart;

import dev.latchkey.auth.engine.AuthChain;
import java.time.Instant;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The actions of an administrator: disable accounts. */
@RestController
@RequestMapping("/api/admin/accounts")
class AdminController {

    private final JdbcClient jdbc;
    private final AuthChain plugins;

    AdminController(JdbcClient jdbc, AuthChain plugins) {
        this.jdbc = jdbc;
        this.plugins = plugins;
    }

    /**
     * Every Basic request reads the account's state. Tokens carry no state, so the tokens are revoked. {@code
     * UserDetailsManager.updateUser} would write the read password back, and undo a change of the password meanwhile.
     */
    @PostMapping("/{name}/disable")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void disable(@PathVariable String name) {
        int rows = jdbc.sql("update users set enabled = false where username = ?")
                .param(name)
                .update();
        if (rows == 0) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such account");
        }
        plugins.revokeAll(name, Instant.now());
    }
}
