package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.throttle.SharedThrottles;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.spring.ThrottleProperties.Endpoints;
import dev.latchkey.throttle.spring.ThrottleProperties.Shared;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Creates the throttles of a service, for this node or shared by all nodes. Shared throttles use a common store, with a
 * common outage and recovery.
 */
final class ThrottleMaker {

    private final Shared settings;
    private final ObjectProvider<PortionStore> stores;
    private final GuardTime time;
    private final ThrottleListener listener;
    private @Nullable SharedThrottles shared;

    ThrottleMaker(Shared settings, ObjectProvider<PortionStore> stores, GuardTime time, ThrottleListener listener) {
        this.settings = settings;
        this.stores = stores;
        this.time = time;
        this.listener = listener;
    }

    /**
     * @throws ThrottleConfigurationException if the throttle is shared, but there is no store, more than one store, or
     *     no usable key
     */
    ThrottleRule make(String name, Endpoints endpoints) {
        if (!endpoints.shared()) {
            return ThrottleRule.of(name, endpoints, time, listener);
        }
        SharedThrottles throttles = shared;
        if (throttles == null) {
            throttles = through("latchkey.throttle." + name + ".shared is true");
            shared = throttles;
        }
        return ThrottleRule.of(name, endpoints, throttles);
    }

    private SharedThrottles through(String reason) {
        PortionStore store = stores.getIfUnique();
        if (store == null) {
            throw new ThrottleConfigurationException(
                    reason + ", but there is no store for shared throttles",
                    "Add dev.latchkey:auth-redis and spring-boot-starter-data-redis to the class path, with one RedisConnectionFactory or a primary "
                            + "one, or define one PortionStore bean. Without the property, each node has its own rates.");
        }
        try {
            return SharedThrottles.in(store, SharedKey.of(settings, reason), time, listener);
        } catch (IllegalArgumentException e) {
            throw SharedKey.refused(e.getMessage());
        }
    }
}
