package dev.latchkey.auth.password.upgrade;

import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/**
 * Hashes behind Spring Security's {@link UserDetailsPasswordService}. Only this class needs {@code spring-security-core}.
 *
 * <p>That port cannot compare and set in one step. The user is read again and compared just before the update, which leaves a moment in which a
 * change made on another node is lost; {@link JdbcStoredPasswords} leaves none. Safe for use by any number of threads if both ports are.
 */
public final class UserDetailsStoredPasswords implements StoredPasswords {

    private final UserDetailsService users;
    private final UserDetailsPasswordService passwords;

    /**
     * Uses two ports, which most services implement in one class.
     *
     * @param users reads an account's hash
     * @param passwords takes its new hash
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
            passwords.updatePassword(user, replacement);
            return true;
        } catch (UsernameNotFoundException e) {
            return false;
        }
    }
}
