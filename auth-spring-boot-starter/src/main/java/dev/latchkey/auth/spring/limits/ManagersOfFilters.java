package dev.latchkey.auth.spring.limits;

import jakarta.servlet.Filter;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AbstractAuthenticationProcessingFilter;
import org.springframework.security.web.authentication.AuthenticationFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.util.ReflectionUtils;

/**
 * Decorates the managers of finished filter chains. A service may give a filter a manager of its own, which is no bean. Without the
 * decoration, the filter would have no limits and would ask for no second step. Each field with a type of managers is decorated,
 * because neither Spring Security's filters nor a service's filters have a public way to their manager. The log names fields that
 * cannot be decorated.
 */
final class ManagersOfFilters {

    private static final Logger LOG = LoggerFactory.getLogger(ManagersOfFilters.class);

    private final Decorator decorator;

    /** Decorates a manager for users who know the interface alone, or for users who know the class. */
    @FunctionalInterface
    interface Decorator {

        @Nullable
        AuthenticationManager decorated(AuthenticationManager manager, boolean byInterface);
    }

    ManagersOfFilters(Decorator decorator) {
        this.decorator = decorator;
    }

    void decorate(SecurityFilterChain chain, String name) {
        chain.getFilters().forEach(filter -> decorate(filter, name));
    }

    private void decorate(Filter filter, String chain) {
        if (filter instanceof AuthenticationFilter login) {
            var resolver = login.getAuthenticationManagerResolver();
            login.setAuthenticationManagerResolver(request -> decorator.decorated(resolver.resolve(request), true));
        }
        ReflectionUtils.doWithFields(
                filter.getClass(), field -> decorate(filter, field, chain), ManagersOfFilters::isManager);
    }

    private static boolean isManager(Field field) {
        return AuthenticationManager.class.isAssignableFrom(field.getType())
                && !Modifier.isStatic(field.getModifiers());
    }

    private void decorate(Filter filter, Field field, String chain) {
        try {
            ReflectionUtils.makeAccessible(field);
            if (ReflectionUtils.getField(field, filter) instanceof AuthenticationManager manager) {
                AuthenticationManager decorated =
                        decorator.decorated(manager, field.getType() == AuthenticationManager.class);
                if (decorated == null) {
                    warn(filter, chain, "no subclass of " + manager.getClass().getName() + " is possible");
                } else {
                    field.set(filter, decorated);
                }
            }
        } catch (IllegalAccessException | RuntimeException e) {
            // A record, or a class of a module that is not open.
            warn(filter, chain, e.getMessage());
        }
    }

    private static void warn(Filter filter, String chain, @Nullable String reason) {
        LOG.warn(
                "Login limits and second steps may not hold for {} in the filter chain '{}': {}",
                filter.getClass().getName(),
                chain,
                reason);
    }

    /** For native images. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classes) {
            for (Class<?> type :
                    new Class<?>[] {AbstractAuthenticationProcessingFilter.class, BasicAuthenticationFilter.class}) {
                ReflectionUtils.doWithLocalFields(type, field -> {
                    if (isManager(field)) {
                        hints.reflection().registerField(field);
                    }
                });
            }
        }
    }
}
