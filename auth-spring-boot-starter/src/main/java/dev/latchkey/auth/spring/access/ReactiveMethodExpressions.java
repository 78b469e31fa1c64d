package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.spring.http.ReactiveWork;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.security.access.PermissionEvaluator;
import org.springframework.security.access.expression.method.DefaultMethodSecurityExpressionHandler;

/**
 * Has the expressions of method security ask the plugins in a WebFlux service, where what evaluates them is a bean of Spring
 * Security's; one of the service's own is left alone.
 */
final class ReactiveMethodExpressions implements BeanPostProcessor {

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<PermissionEvaluator> evaluator;
    private final ObjectProvider<ReactiveWork> work;

    ReactiveMethodExpressions(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<PermissionEvaluator> evaluator,
            ObjectProvider<ReactiveWork> work) {
        this.beans = beans;
        this.evaluator = evaluator;
        this.work = work;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof DefaultMethodSecurityExpressionHandler expressions && isOfSpring(beanName)) {
            expressions.setPermissionEvaluator(evaluator.getObject());
            expressions.setExpressionParser(new WaitingExpressions(work::getObject));
        }
        return bean;
    }

    private boolean isOfSpring(String beanName) {
        Method factory = factoryMethodOf(beanName);
        return factory != null && factory.getDeclaringClass().getName().startsWith("org.springframework.security.");
    }

    private @Nullable Method factoryMethodOf(String beanName) {
        return beans.containsBeanDefinition(beanName)
                        && beans.getMergedBeanDefinition(beanName) instanceof RootBeanDefinition definition
                ? definition.getResolvedFactoryMethod()
                : null;
    }
}
