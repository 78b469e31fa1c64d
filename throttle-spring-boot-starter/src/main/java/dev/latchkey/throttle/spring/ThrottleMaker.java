package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.throttle.SharedThrottles;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.spring.ThrottleProperties.Endpoints;
import dev.latchkey.throttle.spring.ThrottleProperties.Shared;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Makes the throttles of a service, of this node or of all. Those that nodes share have one store, which is lost and found for all of them at once. */
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

    /** @throws ThrottleConfigurationException if it is to be shared, and there is no store, more than one, or no usable key */
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
                    reason + ", and there is nothing to share the throttle through",
                    "That takes dev.latchkey:auth-redis and spring-boot-starter-data-redis on the class path and one RedisConnectionFactory or a primary "
                            + "one; or one PortionStore bean of the service. Without the property each node has the rates for itself.");
        }
        try {
            return SharedThrottles.in(store, SharedKey.of(settings, reason), time, listener);
        } catch (IllegalArgumentException e) {
            throw SharedKey.refused(e.getMessage());
        }
    }
}
