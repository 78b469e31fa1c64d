package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.settings.BeanTypes;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.security.access.PermissionEvaluator;
import org.springframework.security.access.expression.method.DefaultMethodSecurityExpressionHandler;

/** Lets method security on WebFlux ask the plugins, by replacing Spring Security's handler bean. A handler of the service stays. */
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
        if (bean instanceof DefaultMethodSecurityExpressionHandler expressions
                && BeanTypes.definingClass(beans, beanName).startsWith("org.springframework.security.")) {
            expressions.setPermissionEvaluator(evaluator.getObject());
            expressions.setExpressionParser(new WaitingExpressions(work::getObject));
        }
        return bean;
    }
}
