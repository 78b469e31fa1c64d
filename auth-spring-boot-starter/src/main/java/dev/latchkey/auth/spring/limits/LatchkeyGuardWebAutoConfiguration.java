package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

/**
 * For servlet services: the limits around every authentication manager and the answers to rate-limited logins. With or without
 * limits: the check for a second step, and the answers to failures of plugins.
 */
@AutoConfiguration(after = LatchkeyGuardAutoConfiguration.class)
@ConditionalOnClass({HttpSecurity.class, FilterRegistrationBean.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Import(RefusalResolver.class)
@ImportRuntimeHints(ManagersOfFilters.Hints.class)
public final class LatchkeyGuardWebAutoConfiguration {

    private static final int ORDER_OF_SECURITY = -100;

    @Bean
    static LoginPostProcessor latchkeyLoginPostProcessor(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<LoginLimitGate> logins,
            ObjectProvider<AuthChain> plugins,
            ObjectProvider<SecurityContextHolderStrategy> holders) {
        return new LoginPostProcessor(beans, logins, new MissingSteps(plugins), holders);
    }

    @Bean
    @ConditionalOnProperty(name = "latchkey.guard.enabled", matchIfMissing = true)
    @ConditionalOnMissingBean(name = "latchkeyHeldRefusalFilter")
    FilterRegistrationBean<HeldRefusalFilter> latchkeyHeldRefusalFilter(HeldRefusals refusals, TrustedProxies proxies) {
        return holding(refusals, proxies);
    }

    @Bean
    @ConditionalOnMissingBean(name = "latchkeyRefusalFilter")
    FilterRegistrationBean<RefusalFilter> latchkeyRefusalFilter(
            Environment environment, ObjectProvider<LatchkeyProperties> properties) {
        return answering(environment, properties);
    }

    static FilterRegistrationBean<HeldRefusalFilter> holding(HeldRefusals refusals, TrustedProxies proxies) {
        return registered(new HeldRefusalFilter(refusals, proxies), Ordered.HIGHEST_PRECEDENCE);
    }

    static FilterRegistrationBean<RefusalFilter> answering(
            Environment environment, ObjectProvider<LatchkeyProperties> properties) {
        int security = environment.getProperty("spring.security.filter.order", Integer.class, ORDER_OF_SECURITY);
        return registered(new RefusalFilter(RequestContexts.of(properties.getIfAvailable())), security - 1);
    }

    private static <F extends Filter> FilterRegistrationBean<F> registered(F filter, int order) {
        FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(order);
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        return registration;
    }
}
