package dev.latchkey.auth.spring.limits;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.security.core.Authentication;

/** Stands in for a manager that is declared by its class: it may be injected by that class, so what stands in must be of it. */
final class ManagerSubclass {

    private ManagerSubclass() {}

    /** Whether there can be one for objects of this class: a final method would run on the subclass, whose fields are empty. */
    static boolean isPossible(Class<?> manager) {
        return !Modifier.isFinal(manager.getModifiers())
                && Arrays.stream(manager.getMethods())
                        .filter(method -> method.getDeclaringClass() != Object.class)
                        .noneMatch(method -> Modifier.isFinal(method.getModifiers()));
    }

    /** An object of the manager's class whose {@code authenticate} asks the function; all else is left to the manager. */
    static Object of(Object manager, Function<Authentication, ?> authenticate) {
        ProxyFactory factory = new ProxyFactory(manager);
        factory.setProxyTargetClass(true);
        factory.addAdvice((MethodInterceptor) call -> isAuthenticate(call.getMethod())
                ? authenticate.apply((Authentication) call.getArguments()[0])
                : call.proceed());
        return factory.getProxy(manager.getClass().getClassLoader());
    }

    /** A class may have other methods of this name. */
    private static boolean isAuthenticate(Method method) {
        return method.getName().equals("authenticate")
                && method.getParameterCount() == 1
                && method.getParameterTypes()[0] == Authentication.class;
    }
}
