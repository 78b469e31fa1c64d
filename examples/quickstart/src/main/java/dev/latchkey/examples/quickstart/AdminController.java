package dev.latchkey.examples.quickstart;

import dev.latchkey.auth.engine.AuthChain;
import java.time.Instant;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.provisioning.UserDetailsManager;
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

    private final UserDetailsManager accounts;
    private final AuthChain plugins;

    AdminController(UserDetailsManager accounts, AuthChain plugins) {
        this.accounts = accounts;
        this.plugins = plugins;
    }

    /** Every Basic request reads the account's state. Tokens carry no state, so the tokens are revoked. */
    @PostMapping("/{name}/disable")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void disable(@PathVariable String name) {
        accounts.updateUser(User.withUserDetails(find(name)).disabled(true).build());
        plugins.revokeAll(name, Instant.now());
    }

    private UserDetails find(String name) {
        try {
            return accounts.loadUserByUsername(name);
        } catch (UsernameNotFoundException e) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such account", e);
        }
    }
}
