package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.password.upgrade.StoredPasswords;
import java.time.Duration;
import org.springframework.security.core.userdetails.ReactiveUserDetailsPasswordService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.UserDetails;

/**
 * Hashes behind Spring Security's {@link ReactiveUserDetailsPasswordService}. Blocks on the upgrade's own thread. As on servlets,
 * the user is read again and compared just before the update.
 */
final class ReactiveStoredPasswords implements StoredPasswords {

    /** After this time, the store counts as down. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ReactiveUserDetailsService users;
    private final ReactiveUserDetailsPasswordService passwords;

    ReactiveStoredPasswords(ReactiveUserDetailsService users, ReactiveUserDetailsPasswordService passwords) {
        this.users = users;
        this.passwords = passwords;
    }

    @Override
    public boolean replace(String account, String expected, String replacement) {
        UserDetails user = users.findByUsername(account).block(PATIENCE);
        if (user == null || !expected.equals(user.getPassword())) {
            return false;
        }
        passwords.updatePassword(user, replacement).block(PATIENCE);
        return true;
    }
}
