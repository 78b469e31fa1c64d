package dev.latchkey.auth.spring.limits;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.util.ReflectionUtils;

/**
 * Replaces the managers in fields of filters, because neither Spring Security's filters nor a service's filters have a public way
 * to their manager. The log names fields that cannot be replaced.
 *
 * @param interfaceType of the managers
 * @param decorator adds the limits and the check for a second step
 */
record ManagerFields<M>(Class<M> interfaceType, UnaryOperator<M> decorator) {

    private static final Logger LOG = LoggerFactory.getLogger(ManagerFields.class);

    /** @param chain for the log */
    void decorate(Object filter, String chain) {
        Object behindAProxy = AopProxyUtils.getSingletonTarget(filter);
        decorateFields(behindAProxy == null ? filter : behindAProxy, chain);
    }

    private void decorateFields(Object filter, String chain) {
        ReflectionUtils.doWithFields(
                filter.getClass(),
                field -> decorate(filter, field, chain),
                field -> isOfType(field, interfaceType) && !Modifier.isStatic(field.getModifiers()));
    }

    private void decorate(Object filter, Field field, String chain) {
        try {
            ReflectionUtils.makeAccessible(field);
            M manager = interfaceType.cast(ReflectionUtils.getField(field, filter));
            if (manager == null) {
                return;
            }
            M decorated = decorator.apply(manager);
            if (field.getType().isInstance(decorated)) {
                field.set(filter, decorated);
            } else {
                warn(filter, chain, "the field " + field.getName() + " has not the type " + interfaceType.getName());
            }
        } catch (IllegalAccessException | RuntimeException e) {
            // A record, or a class of a module that is not open.
            warn(filter, chain, e.getMessage());
        }
    }

    private static void warn(Object filter, String chain, @Nullable String reason) {
        LOG.warn(
                "Login limits and second steps may not hold for {} in the filter chain '{}': {}. Declare the manager as a bean",
                filter.getClass().getName(),
                chain,
                reason);
    }

    private static boolean isOfType(Field field, Class<?> interfaceType) {
        return interfaceType.isAssignableFrom(field.getType());
    }

    /** For native images. */
    static void register(RuntimeHints hints, Class<?> interfaceType, Class<?> filter) {
        ReflectionUtils.doWithLocalFields(filter, field -> {
            if (isOfType(field, interfaceType)) {
                hints.reflection().registerField(field);
            }
        });
    }
}
