package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.throttle.SharedThrottles;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.spring.ThrottleProperties.Endpoints;
import dev.latchkey.throttle.spring.ThrottleProperties.Shared;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * Creates the throttles of a service, for this node or shared by all nodes. All shared throttles use one store, so
 * outage and recovery are the same for all.
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

    /**
     * Rejects unknown keys. Boot ignores unknown keys below a prefix that several classes share. A key without a value is
     * left out, as Boot leaves the key out.
     *
     * @throws ThrottleConfigurationException if a key of a throttle is not a setting of throttles
     */
    static void requireKnownKeys(Environment environment) {
        try {
            Binder.get(environment)
                    .bind(
                            "latchkey.throttle",
                            Bindable.mapOf(String.class, Endpoints.class),
                            new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter()));
        } catch (BindException e) {
            if (!(e.getCause() instanceof UnboundConfigurationPropertiesException unknown)) {
                throw e;
            }
            String names = namesOf(unknown.getUnboundProperties(), environment);
            if (!names.isEmpty()) {
                throw new ThrottleConfigurationException(
                        "Throttles have no such setting: " + names,
                        "Correct the name, or remove the setting. A throttle's name has no dot.");
            }
        }
    }

    /**
     * Rejects other texts than true and false. The conditions compare the text: {@code off} would leave the throttles on.
     *
     * @throws ThrottleConfigurationException if {@code latchkey.enabled}, or a switch of a throttle, has another text
     */
    static void requireSwitches(Environment environment, Set<String> throttles) {
        Binder binder = Binder.get(environment);
        requireSwitch("latchkey.enabled", binder);
        for (String throttle : throttles) {
            requireSwitch("latchkey.throttle." + throttle + ".shared", binder);
            requireSwitch("latchkey.throttle." + throttle + ".rate-limit-fields", binder);
        }
    }

    private static void requireSwitch(String key, Binder binder) {
        String value = binder.bind(key, String.class).orElse("true");
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw new ThrottleConfigurationException(
                    key + " is '" + value + "', and must be true or false", "Write true or false, without a space.");
        }
    }

    private static String namesOf(Set<ConfigurationProperty> properties, Environment environment) {
        return properties.stream()
                .filter(each -> !environment
                        .resolvePlaceholders(String.valueOf(each.getValue()))
                        .isEmpty())
                .map(each -> each.getOrigin() == null ? each.getName() : each.getName() + " at " + each.getOrigin())
                .map(Object::toString)
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
