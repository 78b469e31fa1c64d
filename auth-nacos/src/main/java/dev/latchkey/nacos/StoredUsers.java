package dev.latchkey.nacos;

import com.alibaba.nacos.plugin.auth.impl.persistence.User;
import com.alibaba.nacos.plugin.auth.impl.users.NacosUserService;
import dev.latchkey.auth.AuthUnavailableException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/**
 * The stored hash of a user, from the server's own service.
 *
 * <p>A database that does not answer is an outage, never a user who does not exist. Safe for use by any number of threads.
 */
final class StoredUsers {

    /** The column has 50 characters; a name that is longer than any database's has no row. */
    private static final int LONGEST_NAME = 255;

    private final NacosUserService users;

    StoredUsers(NacosUserService users) {
        this.users = users;
    }

    /**
     * What the database has at this moment: for passwords, so that a change holds from the next login on.
     *
     * @throws AuthUnavailableException if the database does not answer
     */
    Optional<String> storedHash(String name) {
        if (!canExist(name)) {
            return Optional.empty();
        }
        User user = ask(() -> users.getUser(name));
        return user == null ? Optional.empty() : Optional.ofNullable(user.getPassword());
    }

    /**
     * What the server's copy has, which is some seconds old where {@code nacos.core.auth.caching.enabled} says so: for tokens, of
     * which there is one in each request.
     *
     * @throws AuthUnavailableException if there is no copy, and the database does not answer
     */
    Optional<String> knownHash(String name) {
        if (!canExist(name)) {
            return Optional.empty();
        }
        return Optional.ofNullable(ask(() -> {
            try {
                return users.loadUserByUsername(name).getPassword();
            } catch (UsernameNotFoundException e) {
                return null;
            }
        }));
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
