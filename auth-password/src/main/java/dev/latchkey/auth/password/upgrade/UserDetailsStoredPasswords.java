package dev.latchkey.auth.password.upgrade;

import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/**
 * Stored hashes behind Spring Security's {@link UserDetailsPasswordService}. Only this class needs
 * {@code spring-security-core}.
 *
 * <p>Spring's interface cannot compare and set in one step. The user is read again and compared just before the update.
 * A change on another node in this moment is lost; {@link JdbcStoredPasswords} has no such gap.
 *
 * <p>The service may keep the old hash without an error: {@code JdbcUserDetailsManager} does so unless
 * {@code setEnableUpdatePassword(true)} was called. {@link #replace} then returns {@code false}. Safe for use by any
 * number of threads if both services are.
 */
public final class UserDetailsStoredPasswords implements StoredPasswords {

    private final UserDetailsService users;
    private final UserDetailsPasswordService passwords;

    /**
     * Uses two services, which are often one class.
     *
     * @param users reads an account's hash
     * @param passwords receives the new hash
     */
    public UserDetailsStoredPasswords(UserDetailsService users, UserDetailsPasswordService passwords) {
        this.users = users;
        this.passwords = passwords;
    }

    @Override
    public boolean replace(String account, String expected, String replacement) {
        try {
            UserDetails user = users.loadUserByUsername(account);
            if (!expected.equals(user.getPassword())) {
                return false;
            }
            UserDetails updated = passwords.updatePassword(user, replacement);
            return replacement.equals(updated.getPassword())
                    || replacement.equals(users.loadUserByUsername(account).getPassword());
        } catch (UsernameNotFoundException e) {
            return false;
        }
    }
}
