package dev.latchkey.auth.spring.settings;

import java.lang.reflect.Method;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** How a bean is declared, which decides what may stand in for it. */
public final class BeanTypes {

    private BeanTypes() {}

    /**
     * Whether a bean is declared by an interface, so that nobody can inject it by its class.
     *
     * @param beans that have its definition
     * @param beanName of the bean
     * @return false also for what has no definition
     */
    public static boolean isDeclaredAsInterface(ConfigurableListableBeanFactory beans, String beanName) {
        return beans.containsBeanDefinition(beanName)
                && beans.getMergedBeanDefinition(beanName)
                        .getResolvableType()
                        .resolve(Object.class)
                        .isInterface();
    }

    /**
     * Whether a method makes the bean whose class has a name that begins so: Boot's say, and not the service's.
     *
     * @param prefix of the class's name, a package with its last dot
     * @param beans that have its definition
     * @param beanName of the bean
     * @return false also for what no method makes, or none that is known yet
     */
    public static boolean isDefinedBy(String prefix, ConfigurableListableBeanFactory beans, String beanName) {
        Method factory = beans.containsBeanDefinition(beanName)
                        && beans.getMergedBeanDefinition(beanName) instanceof RootBeanDefinition definition
                ? definition.getResolvedFactoryMethod()
                : null;
        return factory != null && factory.getDeclaringClass().getName().startsWith(prefix);
    }
}
