package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;

/**
 * The filters of {@link LatchkeyGuardWebAutoConfiguration} on a separate port of the actuator. On such a port Boot adds Spring
 * Security's filters and no other filters of the service. Without these filters an outage would end in an error dispatch,
 * answered with 401 by Spring Security, and the limits would not know the client IP.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@ConditionalOnClass({HttpSecurity.class, FilterRegistrationBean.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
final class ManagementRefusals {

    @Bean
    @ConditionalOnBean(HeldRefusals.class)
    @ConditionalOnMissingBean(name = "latchkeyManagementHeldRefusalFilter")
    FilterRegistrationBean<HeldRefusalFilter> latchkeyManagementHeldRefusalFilter(
            HeldRefusals refusals, TrustedProxies proxies) {
        return LatchkeyGuardWebAutoConfiguration.holding(refusals, proxies);
    }

    @Bean
    @ConditionalOnMissingBean(name = "latchkeyManagementRefusalFilter")
    FilterRegistrationBean<RefusalFilter> latchkeyManagementRefusalFilter(
            Environment environment, ObjectProvider<LatchkeyProperties> properties) {
        return LatchkeyGuardWebAutoConfiguration.answering(environment, properties);
    }
}
