package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.RequestThreads;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.settings.GuardProperties;
import dev.latchkey.auth.spring.settings.GuardSettings;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.SettingsConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The guard: limits on failed logins, and permits to hash. Each stack has its own filter for these. */
@AutoConfiguration
@ConditionalOnClass(PasswordEncoder.class)
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.guard.enabled"},
        matchIfMissing = true)
@Import(SettingsConfiguration.class)
public final class LatchkeyGuardAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(LatchkeyGuardAutoConfiguration.class);

    /** Refused responses that wait at the same time. One more is sent at once, since each waiting response takes memory. */
    private static final int MAX_HELD = 1000;

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    GuardTime latchkeyGuardTime() {
        return GuardTime.start();
    }

    @Bean
    @ConditionalOnMissingBean
    WaitingThreads latchkeyWaitingThreads(Environment environment) {
        return WaitingThreads.atMost(RequestThreads.of(environment::getProperty).mayWait());
    }

    @Bean
    @ConditionalOnMissingBean
    HashingPermits latchkeyHashingPermits(
            LatchkeyProperties properties,
            WaitingThreads waiting,
            GuardTime time,
            ObjectProvider<GuardListener> listeners) {
        return new HashingPermits(
                GuardSettings.hashing(properties.guard()),
                waiting,
                time,
                GuardSettings.all(listeners.orderedStream().toList()));
    }

    @Bean
    @ConditionalOnMissingBean
    LoginLimits latchkeyLoginLimits(
            LatchkeyProperties properties,
            GuardTime time,
            ObjectProvider<GuardListener> listeners,
            ObjectProvider<BucketStore> stores) {
        LoginLimitSettings settings = GuardSettings.limits(properties.guard().limits());
        GuardListener listener = GuardSettings.all(listeners.orderedStream().toList());
        GuardProperties.Shared shared = properties.guard().shared();
        return shared.enabled()
                ? sharedLimits(shared, stores, settings, time, listener)
                : LoginLimits.local(settings, time, listener);
    }

    /** @throws LatchkeyConfigurationException if there is no store, more than one, or no usable key */
    private static LoginLimits sharedLimits(
            GuardProperties.Shared shared,
            ObjectProvider<BucketStore> stores,
            LoginLimitSettings settings,
            GuardTime time,
            GuardListener listener) {
        BucketStore store = stores.getIfUnique();
        if (store == null) {
            throw new LatchkeyConfigurationException(
                    "latchkey.guard.shared.enabled is true, and there is nothing to share the login limits through",
                    "That takes dev.latchkey:auth-redis and spring-boot-starter-data-redis on the class path and one RedisConnectionFactory or a primary "
                            + "one; or one BucketStore bean of the service. Without the property each node has limits of its own.");
        }
        try {
            return LoginLimits.shared(settings, store, SharedKey.of(shared), time, listener);
        } catch (IllegalArgumentException e) {
            throw SharedKey.refused(e.getMessage());
        }
    }

    @Bean
    @ConditionalOnMissingBean
    LoginLimitGate latchkeyLoginLimitGate(LoginLimits limits, WaitingThreads waiting) {
        return new LoginLimitGate(limits, waiting, CurrentRequest::source);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    HeldRefusals latchkeyHeldRefusals(LatchkeyProperties properties, GuardTime time) {
        return new HeldRefusals(properties.guard().refusals().delay(), MAX_HELD, time);
    }

    @Bean
    @ConditionalOnMissingBean
    TrustedProxies latchkeyTrustedProxies(LatchkeyProperties properties, Environment environment, BeanFactory beans) {
        new ForwardHeadersNotice(environment, beans)
                .log(!properties.guard().trustedProxies().isEmpty());
        TrustedProxies proxies = GuardSettings.proxies(properties.guard());
        if (proxies.trustsEveryAddress()) {
            LOG.warn(
                    "latchkey.guard.trusted-proxies has a network of all addresses, so each client chooses its client IP"
                            + " and has as many failed logins as it likes. Name the networks of the proxies alone, instead of {}",
                    properties.guard().trustedProxies());
        }
        return proxies;
    }
}
