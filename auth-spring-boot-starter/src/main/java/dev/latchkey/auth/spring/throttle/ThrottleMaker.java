package dev.latchkey.auth.spring.throttle;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.guard.throttle.SharedThrottles;
import dev.latchkey.auth.spring.password.SharedKey;
import dev.latchkey.auth.spring.settings.GuardProperties;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.throttle.ThrottleProperties.Endpoints;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Makes the throttles of a service, of this node or of all. Those that nodes share have one store, which is lost and found for all of them at once. */
final class ThrottleMaker {

    private final GuardProperties.Shared settings;
    private final ObjectProvider<PortionStore> stores;
    private final GuardTime time;
    private final GuardListener listener;
    private @Nullable SharedThrottles shared;

    ThrottleMaker(
            GuardProperties.Shared settings,
            ObjectProvider<PortionStore> stores,
            GuardTime time,
            GuardListener listener) {
        this.settings = settings;
        this.stores = stores;
        this.time = time;
        this.listener = listener;
    }

    /** @throws LatchkeyConfigurationException if it is to be shared, and there is no store, more than one, or no usable key */
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
            throw new LatchkeyConfigurationException(
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
