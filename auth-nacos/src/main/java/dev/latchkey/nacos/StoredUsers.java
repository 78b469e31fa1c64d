package dev.latchkey.nacos;

import com.alibaba.nacos.plugin.auth.impl.persistence.User;
import com.alibaba.nacos.plugin.auth.impl.users.NacosUserService;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/**
 * The stored hash of a user, from the server's own service.
 *
 * <p>A database without an answer is an outage, never an unknown user. Safe for use by any number of threads.
 */
final class StoredUsers {

    /** The column has 50 characters; longer names than any database allows have no row. */
    private static final int LONGEST_NAME = 255;

    private final NacosUserService users;

    StoredUsers(NacosUserService users) {
        this.users = users;
    }

    /**
     * The current hash in the database, for passwords: a change applies from the next login. A database may find a user by another
     * spelling of the name. Such a name is unknown: its subject would have no codes, and would miss the user's logout.
     *
     * @throws AuthUnavailableException if the database does not answer
     */
    Optional<String> storedHash(String name) {
        if (!canExist(name)) {
            return Optional.empty();
        }
        User user = ask(() -> users.getUser(name));
        return user == null || !name.equals(user.getUsername())
                ? Optional.empty()
                : Optional.ofNullable(user.getPassword());
    }

    /**
     * The hash in the server's cache, for tokens in each request. With {@code nacos.core.auth.caching.enabled} the
     * cache may be some seconds old.
     *
     * @throws AuthUnavailableException if there is no cached hash, and the database does not answer
     */
    Optional<String> knownHash(String name) {
        if (!canExist(name)) {
            return Optional.empty();
        }
        return Optional.ofNullable(ask(() -> {
            try {
                UserDetails user = users.loadUserByUsername(name);
                return name.equals(user.getUsername()) ? user.getPassword() : null;
            } catch (UsernameNotFoundException e) {
                return null;
            }
        }));
    }

    /** The stored hash with which this user has logged in. */
    static String hashIn(Authenticated login) {
        return Objects.requireNonNull(login.stamp(), "A user of the server has a stored hash")
                .withText(CharSequence::toString);
    }

    private static boolean canExist(String name) {
        return !name.isBlank() && name.length() <= LONGEST_NAME;
    }

    private static <T> @Nullable T ask(Supplier<@Nullable T> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            throw AuthUnavailableException.outage("The server's table of users cannot be read", e);
        }
    }
}
