package dev.latchkey.auth.spring.limits;

import jakarta.servlet.Filter;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.function.UnaryOperator;
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
 * decoration, the filter would have no limits and would ask for no second step. Each field of the type
 * {@link AuthenticationManager} is decorated, because neither Spring Security's filters nor a service's filters have a public way
 * to their manager. The log names fields that cannot be decorated.
 */
final class ManagersOfFilters {

    private static final Logger LOG = LoggerFactory.getLogger(ManagersOfFilters.class);

    private final UnaryOperator<AuthenticationManager> decorator;

    ManagersOfFilters(UnaryOperator<AuthenticationManager> decorator) {
        this.decorator = decorator;
    }

    void decorate(SecurityFilterChain chain, String name) {
        chain.getFilters().forEach(filter -> decorate(filter, name));
    }

    private void decorate(Filter filter, String chain) {
        if (filter instanceof AuthenticationFilter login) {
            var resolver = login.getAuthenticationManagerResolver();
            login.setAuthenticationManagerResolver(request -> decorated(resolver.resolve(request)));
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
                field.set(filter, decorated(manager));
            }
        } catch (IllegalAccessException | RuntimeException e) {
            // A field of a narrower type, a record, or a class of a module that is not open.
            LOG.warn(
                    "Login limits and second steps may not hold for {} in the filter chain '{}': {}",
                    filter.getClass().getName(),
                    chain,
                    e.getMessage());
        }
    }

    private AuthenticationManager decorated(AuthenticationManager manager) {
        return LoginPostProcessor.isDecorated(manager) ? manager : decorator.apply(manager);
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
