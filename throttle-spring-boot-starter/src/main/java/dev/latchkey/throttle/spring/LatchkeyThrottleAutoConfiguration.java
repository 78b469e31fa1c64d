package dev.latchkey.throttle.spring;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.Callers;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.RequestThreads;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.throttle.ThrottleListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.server.WebFilter;

/**
 * The throttles under {@code latchkey.throttle}, as a filter behind Spring Security's filters; the same for servlets
 * and WebFlux.
 *
 * <p>auth-spring-boot-starter defines the beans for the time and the proxies too. With both starters, the first
 * definition wins; both read the same properties.
 */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Conditional(LatchkeyThrottleAutoConfiguration.OnThrottle.class)
@EnableConfigurationProperties(ThrottleProperties.class)
public final class LatchkeyThrottleAutoConfiguration {

    /** Secrets of the configuration are never text fields, so no log can print them. */
    @Bean
    @ConfigurationPropertiesBinding
    static Converter<String, Secret> latchkeyThrottleSecretConverter() {
        return new SecretConverter();
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    GuardTime latchkeyGuardTime() {
        return GuardTime.start();
    }

    @Bean
    @ConditionalOnMissingBean
    TrustedProxies latchkeyTrustedProxies(ThrottleProperties properties) {
        return properties.guard().proxies();
    }

    @Bean
    @ConditionalOnMissingBean
    ThrottleRules latchkeyThrottleRules(
            ThrottleProperties properties,
            GuardTime time,
            ObjectProvider<ThrottleListener> listeners,
            ObjectProvider<PortionStore> stores,
            Environment environment) {
        ThrottleMaker.requireKnownKeys(environment);
        ThrottleMaker.requireSwitches(environment, properties.throttle().keySet());
        ThrottleListener listener =
                ThrottleListener.all(listeners.orderedStream().toList());
        ThrottleMaker maker = new ThrottleMaker(properties.guard().shared(), stores, time, listener);
        return new ThrottleRules(new TreeMap<>(properties.throttle())
                .entrySet().stream()
                        .map(each -> maker.make(each.getKey(), each.getValue()))
                        .toList());
    }

    @Bean
    @ConditionalOnMissingBean
    ThrottleControls latchkeyThrottleControls(ThrottleRules rules) {
        return new ThrottleControls(rules.inOrder());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Filter.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static final class OnServlets {

        /** The order of Spring Security's filter in every line of Boot, if {@code spring.security.filter.order} is not set. */
        private static final int ORDER_OF_SECURITY = -100;

        @Bean
        @ConditionalOnMissingBean(name = "latchkeyThrottleFilter")
        FilterRegistrationBean<Filter> latchkeyThrottleFilter(
                ThrottleRules rules, TrustedProxies proxies, ObjectProvider<Callers> callers, Environment environment) {
            WaitingRequests waiting = new WaitingRequests(
                    RequestThreads.of(environment::getProperty).mayWait());
            return registered(
                    "latchkeyThrottleFilter",
                    new ThrottleFilter(rules.inOrder(), proxies, names(callers), waiting),
                    behindSecurity(environment));
        }

        /**
         * Behind Spring Security's filter, the user is known.
         *
         * @throws ThrottleConfigurationException if Spring Security's filter has the last order
         */
        private static int behindSecurity(Environment environment) {
            int security = environment.getProperty("spring.security.filter.order", Integer.class, ORDER_OF_SECURITY);
            if (security == Ordered.LOWEST_PRECEDENCE) {
                throw new ThrottleConfigurationException(
                        "spring.security.filter.order is " + security
                                + ", and throttles need an order behind Spring Security's filter, where the user is known",
                        "Set spring.security.filter.order to at most " + (security - 1) + ", or remove the property.");
            }
            return (int) Math.min(Ordered.LOWEST_PRECEDENCE, security + 10L);
        }

        /** Enabled only in services that throttle bodies. */
        @Bean
        @ConditionalOnMissingBean(name = "latchkeyThrottledBodyFilter")
        FilterRegistrationBean<Filter> latchkeyThrottledBodyFilter(ThrottleRules rules, GuardTime time) {
            FilterRegistrationBean<Filter> filter = registered(
                    "latchkeyThrottledBodyFilter", new ThrottledBodyFilter(time), Ordered.HIGHEST_PRECEDENCE);
            filter.setDispatcherTypes(
                    DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.FORWARD, DispatcherType.ERROR);
            filter.setEnabled(!BodyThrottle.counting(rules.inOrder()).isEmpty());
            return filter;
        }

        private static FilterRegistrationBean<Filter> registered(String name, Filter filter, int order) {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
            registration.setName(name);
            registration.setOrder(order);
            registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
            return registration;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebFilter.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static final class OnWebFlux {

        @Bean
        @ConditionalOnMissingBean
        ReactiveThrottleFilter latchkeyReactiveThrottleFilter(
                ThrottleRules rules,
                TrustedProxies proxies,
                GuardTime time,
                ObjectProvider<Callers> callers,
                ApplicationContext service) {
            return new ReactiveThrottleFilter(rules.inOrder(), proxies, time, names(callers), service);
        }
    }

    /** The bean is looked up at the first request, because the chain of the plugins is created late. */
    private static CallerNames names(ObjectProvider<Callers> callers) {
        return new CallerNames(SingletonSupplier.of(() -> Optional.ofNullable(callers.getIfAvailable())));
    }

    private static final class SecretConverter implements Converter<String, Secret> {

        @Override
        public Secret convert(String source) {
            return Secret.of(source.trim());
        }
    }

    /** Matches if at least one throttle is configured; {@code @ConditionalOnProperty} cannot match a map. */
    static final class OnThrottle extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Map<String, Object> throttles = Binder.get(context.getEnvironment())
                    .bind("latchkey.throttle", Bindable.mapOf(String.class, Object.class))
                    .orElse(Map.of());
            return new ConditionOutcome(!throttles.isEmpty(), "latchkey.throttle names " + throttles.keySet());
        }
    }

    /** All throttles, ordered by name. */
    record ThrottleRules(List<ThrottleRule> inOrder) {}
}
