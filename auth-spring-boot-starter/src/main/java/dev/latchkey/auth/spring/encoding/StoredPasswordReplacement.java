package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.password.upgrade.StoredPasswords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;

/**
 * Lets Spring Security store replacements in the service's {@link StoredPasswords}. Without a {@link UserDetailsPasswordService},
 * Spring Security never checks whether a hash is outdated. Thread-safe.
 */
final class StoredPasswordReplacement implements UserDetailsPasswordService {

    private static final Logger LOG = LoggerFactory.getLogger(StoredPasswordReplacement.class);

    private final StoredPasswords store;

    StoredPasswordReplacement(StoredPasswords store) {
        this.store = store;
    }

    /**
     * Returns the unchanged account as the principal of the login, because the service expects the account's class. Spring
     * Security erases the hash afterwards. The login stays valid if the password changed meanwhile, or the store fails.
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
            // The type only: databases quote rejected values, or whole rows.
            LOG.warn("A password hash could not be replaced: {}", e.getClass().getName());
        }
    }
}
