package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.jwt.KeyFile;
import dev.latchkey.auth.spring.settings.GuardProperties;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;

/** Makes the limits that nodes have together: of the store that keeps the buckets, and the key that is the same on each node. */
final class SharedLimits {

    private static final String HOW_TO_MAKE_ONE =
            "Make one for all nodes with: openssl rand -base64 32 > limits.key; chmod 600 limits.key";

    private SharedLimits() {}

    /** @throws LatchkeyConfigurationException if there is no store, more than one, or no usable key */
    static LoginLimits of(
            GuardProperties.Shared shared,
            ObjectProvider<BucketStore> stores,
            LoginLimitSettings settings,
            GuardTime time,
            GuardListener listener) {
        BucketStore store = stores.getIfUnique();
        if (store == null) {
            throw new LatchkeyConfigurationException(
                    "latchkey.guard.shared.enabled is true, and there is nothing to share the login limits through",
                    "That takes dev.latchkey:auth-redis and spring-boot-starter-data-redis on the class path and one RedisConnectionFactory or a primary "
                            + "one; or one BucketStore bean of the service. Without the property each node has limits of its own.");
        }
        try {
            return LoginLimits.shared(settings, store, key(shared), time, listener);
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException("latchkey.guard.shared: " + e.getMessage(), HOW_TO_MAKE_ONE);
        }
    }

    private static Secret key(GuardProperties.Shared shared) {
        Path file = shared.secretFile();
        if (file == null) {
            return Objects.requireNonNull(shared.secret());
        }
        try {
            return KeyFile.read(file);
        } catch (IOException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.guard.shared.secret-file: the file cannot be read: " + e, HOW_TO_MAKE_ONE);
        }
    }
}
