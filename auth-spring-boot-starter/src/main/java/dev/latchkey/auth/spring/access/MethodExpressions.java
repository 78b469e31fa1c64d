package dev.latchkey.auth.spring.access;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.core.MethodParameter;
import org.springframework.security.access.PermissionEvaluator;
import org.springframework.security.access.expression.method.DefaultMethodSecurityExpressionHandler;
import org.springframework.security.access.expression.method.MethodSecurityExpressionHandler;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.config.core.GrantedAuthorityDefaults;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The expression handler of method security on servlets, with an evaluator that asks the plugins. Spring Security creates its own
 * handler internally and offers no change.
 *
 * <p>The new handler gets the same beans: role prefix, role hierarchy, and since Security 7 the factory for required factors.
 * Without that factory, the service's rules would be weaker.
 */
final class MethodExpressions {

    private static final String SET_FACTORY = "setAuthorizationManagerFactory";

    private MethodExpressions() {}

    static MethodSecurityExpressionHandler asking(
            PermissionEvaluator evaluator, ConfigurableListableBeanFactory beans) {
        DefaultMethodSecurityExpressionHandler expressions = new DefaultMethodSecurityExpressionHandler();
        expressions.setPermissionEvaluator(evaluator);
        beans.getBeanProvider(GrantedAuthorityDefaults.class)
                .ifAvailable(defaults -> expressions.setDefaultRolePrefix(defaults.getRolePrefix()));
        beans.getBeanProvider(RoleHierarchy.class).ifAvailable(expressions::setRoleHierarchy);
        addFactory(expressions, beans);
        return expressions;
    }

    /** Resolved as a method argument, as Spring Security does: the bean may be declared as a raw type. */
    private static void addFactory(
            DefaultMethodSecurityExpressionHandler expressions, ConfigurableListableBeanFactory beans) {
        Method setter = ClassUtils.getMethodIfAvailable(expressions.getClass(), SET_FACTORY, (Class<?>[]) null);
        if (setter == null) {
            return;
        }
        DependencyDescriptor argument = new DependencyDescriptor(new MethodParameter(setter, 0), false);
        argument.setContainingClass(expressions.getClass());
        Object factory = beans.resolveDependency(argument, null);
        if (factory != null) {
            ReflectionUtils.invokeMethod(setter, expressions, factory);
        }
    }

    /** Keeps the reflective method in a native image. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.reflection()
                    .registerType(DefaultMethodSecurityExpressionHandler.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
    }
}
