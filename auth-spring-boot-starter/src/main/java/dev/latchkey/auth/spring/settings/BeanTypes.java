package dev.latchkey.auth.spring.settings;

import java.lang.reflect.Method;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** How a bean is declared. The declaration decides which beans can replace the bean. */
public final class BeanTypes {

    private BeanTypes() {}

    /**
     * Whether a bean is declared by an interface. Such a bean cannot be injected by its class.
     *
     * @param beans contains the bean definition
     * @param beanName name of the bean
     * @return false also if there is no definition
     */
    public static boolean isDeclaredAsInterface(ConfigurableListableBeanFactory beans, String beanName) {
        return beans.containsBeanDefinition(beanName)
                && beans.getMergedBeanDefinition(beanName)
                        .getResolvableType()
                        .resolve(Object.class)
                        .isInterface();
    }

    /**
     * Whether the bean comes from a {@code @Bean} method of a class with this name prefix: from Boot, and not from the service.
     *
     * @param prefix of the class name, a package with its last dot
     * @param beans contains the bean definition
     * @param beanName name of the bean
     * @return false also if there is no such method, or the method is not known yet
     */
    public static boolean isDefinedBy(String prefix, ConfigurableListableBeanFactory beans, String beanName) {
        Method factory = beans.containsBeanDefinition(beanName)
                        && beans.getMergedBeanDefinition(beanName) instanceof RootBeanDefinition definition
                ? definition.getResolvedFactoryMethod()
                : null;
        return factory != null && factory.getDeclaringClass().getName().startsWith(prefix);
    }
}
