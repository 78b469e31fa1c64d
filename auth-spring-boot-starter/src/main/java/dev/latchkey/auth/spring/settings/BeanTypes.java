package dev.latchkey.auth.spring.settings;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.security.core.Authentication;

/** How a bean is declared, which decides what may stand in for it. */
public final class BeanTypes {

    private BeanTypes() {}

    /** Whether it is declared by an interface, and so nobody can inject it by its class. */
    public static boolean isDeclaredAsInterface(ConfigurableListableBeanFactory beans, String beanName) {
        return beans.containsBeanDefinition(beanName)
                && beans.getMergedBeanDefinition(beanName)
                        .getResolvableType()
                        .resolve(Object.class)
                        .isInterface();
    }

    /** Whether a subclass can stand in for an object of this class: a final method would run on the subclass, whose fields are empty. */
    public static boolean canBeSubclassed(Class<?> type) {
        return !Modifier.isFinal(type.getModifiers())
                && Arrays.stream(type.getMethods())
                        .filter(method -> method.getDeclaringClass() != Object.class)
                        .noneMatch(method -> Modifier.isFinal(method.getModifiers()));
    }

    /** Whether this is the method of a manager: a class may have others of its name. */
    public static boolean isAuthenticate(Method method) {
        return method.getName().equals("authenticate")
                && method.getParameterCount() == 1
                && method.getParameterTypes()[0] == Authentication.class;
    }

    /** Whether a method of a class with a name that begins so makes the bean. */
    public static boolean isDefinedBy(String prefix, ConfigurableListableBeanFactory beans, String beanName) {
        Method factory = beans.containsBeanDefinition(beanName)
                        && beans.getMergedBeanDefinition(beanName) instanceof RootBeanDefinition definition
                ? definition.getResolvedFactoryMethod()
                : null;
        return factory != null && factory.getDeclaringClass().getName().startsWith(prefix);
    }
}
