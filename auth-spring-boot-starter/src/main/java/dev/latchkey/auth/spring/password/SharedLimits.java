package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.spring.settings.GuardProperties;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import org.springframework.beans.factory.ObjectProvider;

/** Builds the limits of all nodes from the shared bucket store and the common key. */
final class SharedLimits {

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
            return LoginLimits.shared(
                    settings, store, SharedKey.of(shared, "latchkey.guard.shared.enabled is true"), time, listener);
        } catch (IllegalArgumentException e) {
            throw SharedKey.refused(e.getMessage());
        }
    }
}
