package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.password.upgrade.StoredPasswords;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;

/**
 * Lets Spring Security store replacements in a {@link StoredPasswords} of the service's own. Without such a service it does not even ask its encoder whether a
 * hash is outdated. Safe for use by any number of threads.
 */
final class StoredPasswordReplacement implements UserDetailsPasswordService {

    private final StoredPasswords store;

    StoredPasswordReplacement(StoredPasswords store) {
        this.store = store;
    }

    /** The account as it was: it is the login's principal, of a class that the service expects, and Spring Security takes its hash off. */
    @Override
    public UserDetails updatePassword(UserDetails user, @Nullable String newPassword) {
        String expected = user.getPassword();
        if (expected != null && newPassword != null) {
            // Not stored where the password was changed in the meantime: the login is as good.
            boolean unused = store.replace(user.getUsername(), expected, newPassword);
        }
        return user;
    }
}
