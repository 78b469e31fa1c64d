package dev.latchkey.auth.spring;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HashingPool;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.LoginGuard;
import dev.latchkey.auth.guard.LoginLimits;
import dev.latchkey.auth.guard.TrustedProxies;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The guard: the pool that hashes, and the limits before it. What leads requests through it depends on the kind of service. */
@AutoConfiguration
@ConditionalOnClass(PasswordEncoder.class)
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.guard.enabled"},
        matchIfMissing = true)
@EnableConfigurationProperties(LatchkeyProperties.class)
public final class LatchkeyGuardAutoConfiguration {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    GuardTime latchkeyGuardTime() {
        return GuardTime.start();
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    HashingPool latchkeyHashingPool(
            LatchkeyProperties properties, GuardTime time, ObjectProvider<GuardListener> listeners) {
        return HashingPool.start(
                GuardSettings.pool(properties.guard()),
                time,
                GuardSettings.all(listeners.orderedStream().toList()));
    }

    @Bean
    @ConditionalOnMissingBean
    LoginLimits latchkeyLoginLimits(
            LatchkeyProperties properties, GuardTime time, ObjectProvider<GuardListener> listeners) {
        return LoginLimits.local(
                GuardSettings.limits(properties.guard().limits()),
                time,
                GuardSettings.all(listeners.orderedStream().toList()));
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    HeldRefusals latchkeyHeldRefusals(LatchkeyProperties properties, GuardTime time) {
        GuardProperties.Refusals refusals = properties.guard().refusals();
        return new HeldRefusals(refusals.delay(), refusals.maxHeld(), time);
    }

    @Bean
    @ConditionalOnMissingBean(name = "latchkeyLoginLimitsJmx")
    JmxBeans latchkeyLoginLimitsJmx(LoginLimits limits, ApplicationContext context) {
        return new JmxBeans(
                ManagementFactory.getPlatformMBeanServer(),
                "LoginLimits",
                String.valueOf(context.getId()),
                Map.of("logins", new LoginLimitsMBean(limits)));
    }

    @Bean
    @ConditionalOnMissingBean
    LoginGuard latchkeyLoginGuard(LoginLimits limits, HashingPool pool, HeldRefusals refusals) {
        return new LoginGuard(limits, pool, refusals);
    }

    @Bean
    @ConditionalOnMissingBean
    TrustedProxies latchkeyTrustedProxies(LatchkeyProperties properties) {
        return GuardSettings.proxies(properties.guard());
    }
}
