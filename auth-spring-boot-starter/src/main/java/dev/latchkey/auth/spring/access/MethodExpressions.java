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
 * Makes what evaluates the expressions of method security on servlets, with one in it that asks the plugins for permissions. Spring Security makes
 * its own inside, where nobody can change it.
 *
 * <p>So it is made anew, with the beans that Spring Security gives its own: the prefix of roles, their hierarchy, and since 7 the factory that may
 * demand more than one factor of every login. Without that factory, a rule of the service's would be weaker.
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

    /** Resolved as an argument of that method, which is how Spring Security has it: the bean may be declared as a raw type. */
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

    /** So that a native image has the method that is found by its name. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.reflection()
                    .registerType(DefaultMethodSecurityExpressionHandler.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
    }
}
