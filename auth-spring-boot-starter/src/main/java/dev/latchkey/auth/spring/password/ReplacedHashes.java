package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.password.upgrade.StoredPasswords;
import org.springframework.beans.factory.ObjectProvider;

/**
 * A store whose replacements keep the known clients of an account. Safe for use by any number of threads, if the store is.
 *
 * @param store replaces the hashes
 * @param limits know the clients; may be absent
 */
public record ReplacedHashes(StoredPasswords store, ObjectProvider<LoginLimits> limits) implements StoredPasswords {

    @Override
    public boolean replace(String account, String expected, String replacement) {
        // Before the store, because a login may find the new hash at once.
        limits.ifAvailable(known -> known.replaced(expected, replacement));
        return store.replace(account, expected, replacement);
    }
}
