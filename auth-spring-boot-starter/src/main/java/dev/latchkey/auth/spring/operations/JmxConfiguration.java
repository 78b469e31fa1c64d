package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.guard.login.LoginLimits;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What may be watched and changed by JMX: the limits of logins. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "latchkey.jmx.enabled", matchIfMissing = true)
final class JmxConfiguration {

    @Bean
    @ConditionalOnBean(LoginLimits.class)
    @ConditionalOnMissingBean(name = "latchkeyLoginLimitsJmx")
    JmxBeans latchkeyLoginLimitsJmx(LoginLimits limits, ApplicationContext context) {
        return beans("LoginLimits", context, Map.of("logins", new LoginLimitsMBean(limits)));
    }

    private static JmxBeans beans(String type, ApplicationContext context, Map<String, ?> beans) {
        return new JmxBeans(ManagementFactory.getPlatformMBeanServer(), type, String.valueOf(context.getId()), beans);
    }
}
