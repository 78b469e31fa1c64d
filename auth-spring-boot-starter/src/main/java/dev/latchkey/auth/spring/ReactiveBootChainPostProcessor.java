package dev.latchkey.auth.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;

/**
 * Adds Latchkey to the WebFlux filter chain that a service gets which has none: Spring Security's, or Boot's with the actuator.
 * A service with a chain of its own decides for itself.
 */
final class ReactiveBootChainPostProcessor implements BeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(ReactiveBootChainPostProcessor.class);

    private static final String WITH_THE_ACTUATOR = "ReactiveManagementWebSecurityAutoConfiguration";

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<LatchkeyWebFlux> latchkey;

    ReactiveBootChainPostProcessor(ConfigurableListableBeanFactory beans, ObjectProvider<LatchkeyWebFlux> latchkey) {
        this.beans = beans;
        this.latchkey = latchkey;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ServerHttpSecurity http && hasOnlyDefaultChains()) {
            latchkey.getObject().addTo(http);
            LOG.info(
                    "The service has no WebFlux filter chain of its own: the default one takes bearer tokens and plugins");
        }
        return bean;
    }

    private boolean hasOnlyDefaultChains() {
        return Arrays.stream(beans.getBeanNamesForType(SecurityWebFilterChain.class, true, false))
                .allMatch(this::isOfTheActuator);
    }

    private boolean isOfTheActuator(String beanName) {
        Method factory = factoryMethodOf(beanName);
        return factory != null && factory.getDeclaringClass().getSimpleName().equals(WITH_THE_ACTUATOR);
    }

    private @Nullable Method factoryMethodOf(String beanName) {
        return beans.containsBeanDefinition(beanName)
                        && beans.getMergedBeanDefinition(beanName) instanceof RootBeanDefinition definition
                ? definition.getResolvedFactoryMethod()
                : null;
    }
}
