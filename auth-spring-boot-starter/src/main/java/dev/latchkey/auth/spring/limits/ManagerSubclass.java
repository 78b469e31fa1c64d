package dev.latchkey.auth.spring.limits;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.security.core.Authentication;

/** Replaces a manager declared by its class. The replacement is a subclass, because beans may inject the manager by its class. */
final class ManagerSubclass {

    private ManagerSubclass() {}

    /** Whether a subclass is possible. A public final method would run on the subclass itself, with empty fields. */
    static boolean isPossible(Class<?> manager) {
        return !Modifier.isFinal(manager.getModifiers())
                && Arrays.stream(manager.getMethods())
                        .filter(method -> method.getDeclaringClass() != Object.class)
                        .noneMatch(method -> Modifier.isFinal(method.getModifiers()));
    }

    /** A subclass of the manager's class with another {@code authenticate}; all other calls go to the manager. */
    static Object of(Object manager, Function<Authentication, ?> authenticate) {
        ProxyFactory factory = new ProxyFactory(manager);
        factory.setProxyTargetClass(true);
        factory.addAdvice(new Interception(authenticate));
        return factory.getProxy(manager.getClass().getClassLoader());
    }

    /** Whether the manager is such a subclass. */
    static boolean isMade(Object manager) {
        return manager instanceof Advised proxy
                && Arrays.stream(proxy.getAdvisors()).anyMatch(each -> each.getAdvice() instanceof Interception);
    }

    private record Interception(Function<Authentication, ?> authenticate) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation call) throws Throwable {
            return isAuthenticate(call.getMethod())
                    ? authenticate.apply((Authentication) call.getArguments()[0])
                    : call.proceed();
        }

        /** Compares the parameters too, because a class may have other methods of this name. */
        private static boolean isAuthenticate(Method method) {
            return method.getName().equals("authenticate")
                    && method.getParameterCount() == 1
                    && method.getParameterTypes()[0] == Authentication.class;
        }
    }
}
