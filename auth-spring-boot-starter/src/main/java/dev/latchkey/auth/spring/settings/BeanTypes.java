package dev.latchkey.auth.spring.settings;

import java.lang.reflect.Method;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** How a bean is declared. The declaration decides which beans can replace the bean. */
public final class BeanTypes {

    /** Begins the names of Boot's classes. */
    public static final String BOOT = "org.springframework.boot.";

    private BeanTypes() {}

    /**
     * Whether a bean is declared by an interface. Such a bean cannot be injected by its class. For a {@link FactoryBean}, the
     * type of the made bean counts.
     *
     * @param beans contains the bean definition
     * @param beanName name of the bean
     * @return false also if there is no definition
     */
    public static boolean isDeclaredAsInterface(ConfigurableListableBeanFactory beans, String beanName) {
        if (!beans.containsBeanDefinition(beanName)) {
            return false;
        }
        Class<?> declared =
                beans.getMergedBeanDefinition(beanName).getResolvableType().resolve(Object.class);
        Class<?> type = FactoryBean.class.isAssignableFrom(declared) ? beans.getType(beanName) : declared;
        return type != null && type.isInterface();
    }

    /**
     * The class whose {@code @Bean} method makes a bean: a class of Boot, of Spring Security, or of the service.
     *
     * @param beans contains the bean definition
     * @param beanName name of the bean
     * @return name of the class; empty if there is no such method, or the method is not known yet
     */
    public static String definingClass(ConfigurableListableBeanFactory beans, String beanName) {
        Method factory = beans.containsBeanDefinition(beanName)
                        && beans.getMergedBeanDefinition(beanName) instanceof RootBeanDefinition definition
                ? definition.getResolvedFactoryMethod()
                : null;
        return factory == null ? "" : factory.getDeclaringClass().getName();
    }
}
