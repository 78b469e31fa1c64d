package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.password.upgrade.StoredPasswords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;

/**
 * Lets Spring Security store replacements in a {@link StoredPasswords} of the service's own. Without such a service it does not even ask its encoder whether a
 * hash is outdated. Safe for use by any number of threads.
 */
final class StoredPasswordReplacement implements UserDetailsPasswordService {

    private static final Logger LOG = LoggerFactory.getLogger(StoredPasswordReplacement.class);

    private final StoredPasswords store;

    StoredPasswordReplacement(StoredPasswords store) {
        this.store = store;
    }

    /**
     * The account as it was: it is the login's principal, of a class that the service expects, and Spring Security takes its hash off. The login is as good where
     * the password was changed in the meantime, or the store fails.
     */
    @Override
    public UserDetails updatePassword(UserDetails user, @Nullable String newPassword) {
        String expected = user.getPassword();
        if (expected != null && newPassword != null) {
            replace(user.getUsername(), expected, newPassword);
        }
        return user;
    }

    private void replace(String account, String expected, String replacement) {
        try {
            boolean unused = store.replace(account, expected, replacement);
        } catch (RuntimeException e) {
            // Its type only: databases quote the value that they refuse, or the whole row.
            LOG.warn("A password hash could not be replaced: {}", e.getClass().getName());
        }
    }
}
