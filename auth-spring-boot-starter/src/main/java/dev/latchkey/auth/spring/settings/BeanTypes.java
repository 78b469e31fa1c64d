package dev.latchkey.auth.spring.settings;

import java.lang.reflect.Method;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

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

    /** Whether a method of a class with a name that begins so makes the bean. */
    public static boolean isDefinedBy(String prefix, ConfigurableListableBeanFactory beans, String beanName) {
        Method factory = beans.containsBeanDefinition(beanName)
                        && beans.getMergedBeanDefinition(beanName) instanceof RootBeanDefinition definition
                ? definition.getResolvedFactoryMethod()
                : null;
        return factory != null && factory.getDeclaringClass().getName().startsWith(prefix);
    }
}
