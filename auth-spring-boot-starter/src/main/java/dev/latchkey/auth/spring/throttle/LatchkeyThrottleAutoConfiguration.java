package dev.latchkey.auth.spring.throttle;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.settings.GuardSettings;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.SettingsConfiguration;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.web.server.WebFilter;

/** The throttles that {@code latchkey.throttle} names, as one filter behind Spring Security's; servlet and WebFlux alike. */
@AutoConfiguration(after = LatchkeyGuardAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Conditional(LatchkeyThrottleAutoConfiguration.OnThrottle.class)
@EnableConfigurationProperties(ThrottleProperties.class)
@Import(SettingsConfiguration.class)
public final class LatchkeyThrottleAutoConfiguration {

    /** For a service that has switched the guard of its logins off, or has no logins. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    GuardTime latchkeyGuardTime() {
        return GuardTime.start();
    }

    @Bean
    @ConditionalOnMissingBean
    ThrottleRules latchkeyThrottleRules(
            ThrottleProperties throttles,
            LatchkeyProperties properties,
            GuardTime time,
            ObjectProvider<GuardListener> listeners,
            ObjectProvider<PortionStore> stores) {
        GuardListener listener = GuardSettings.all(listeners.orderedStream().toList());
        ThrottleMaker maker = new ThrottleMaker(properties.guard().shared(), stores, time, listener);
        return new ThrottleRules(new TreeMap<>(throttles.throttle())
                .entrySet().stream()
                        .map(each -> maker.make(each.getKey(), each.getValue()))
                        .toList());
    }

    @Bean
    @ConditionalOnMissingBean
    ThrottleControls latchkeyThrottleControls(ThrottleRules rules) {
        return new ThrottleControls(rules.inOrder());
    }

    private static TrustedProxies proxies(ObjectProvider<TrustedProxies> proxies, LatchkeyProperties properties) {
        return proxies.getIfAvailable(() -> GuardSettings.proxies(properties.guard()));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Filter.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static final class OnServlets {

        /** Spring Security's filter stands at -100 on every line of Boot: behind it, the caller is known. */
        private static final int BEHIND_SECURITY = -90;

        @Bean
        @ConditionalOnMissingBean(name = "latchkeyThrottleFilter")
        FilterRegistrationBean<Filter> latchkeyThrottleFilter(
                ThrottleRules rules,
                LatchkeyProperties properties,
                ObjectProvider<TrustedProxies> proxies,
                GuardTime time) {
            FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>(
                    new ThrottleFilter(rules.inOrder(), proxies(proxies, properties), time));
            filter.setName("latchkeyThrottleFilter");
            filter.setOrder(BEHIND_SECURITY);
            filter.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
            return filter;
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
                LatchkeyProperties properties,
                ObjectProvider<TrustedProxies> proxies,
                GuardTime time) {
            return new ReactiveThrottleFilter(rules.inOrder(), proxies(proxies, properties), time);
        }
    }

    /** At least one throttle is configured; {@code @ConditionalOnProperty} does not see a map. */
    static final class OnThrottle extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Map<String, Object> throttles = Binder.get(context.getEnvironment())
                    .bind("latchkey.throttle", Bindable.mapOf(String.class, Object.class))
                    .orElse(Map.of());
            return new ConditionOutcome(!throttles.isEmpty(), "latchkey.throttle names " + throttles.keySet());
        }
    }

    /** All throttles, in the order of their names. */
    record ThrottleRules(List<ThrottleRule> inOrder) {}
}
