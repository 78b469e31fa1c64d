package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import dev.latchkey.auth.spring.plugin.PluginBounds;
import dev.latchkey.auth.store.LocalRevocations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/**
 * Meters and observations of Latchkey.
 *
 * <p>The condition is a class and no bean: on all its lines, Boot binds every {@link MeterBinder} to every registry. {@code
 * management.metrics.enable.latchkey=false} turns the meters off.
 */
@AutoConfiguration
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
public final class LatchkeyMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    AuthMeters latchkeyAuthMeters() {
        return new AuthMeters();
    }

    @Bean
    @ConditionalOnMissingBean
    AuthObservations latchkeyAuthObservations(ObjectProvider<ObservationRegistry> registry) {
        return new AuthObservations(SingletonSupplier.of(() -> registry.getIfUnique(() -> ObservationRegistry.NOOP)));
    }

    @Bean
    @ConditionalOnMissingBean
    GuardMeters latchkeyGuardMeters() {
        return new GuardMeters();
    }

    /** Reads the beans when a registry asks, since the bulkheads exist after the chain. */
    @Bean
    @ConditionalOnMissingBean(name = "latchkeyStateMeters")
    MeterBinder latchkeyStateMeters(ListableBeanFactory beans) {
        return registry -> {
            new CacheMeters(beans.getBeansOfType(CredentialCache.class)).bindTo(registry);
            new GuardGauges(
                            beans.getBeansOfType(HashingPermits.class),
                            beans.getBeansOfType(LoginLimits.class),
                            beans.getBeansOfType(HeldRefusals.class))
                    .bindTo(registry);
            beans.getBeanProvider(RotatingKeys.class).ifUnique(keys -> StateMeters.bind(registry, keys));
            beans.getBeanProvider(AuthChain.class)
                    .ifUnique(chain -> beans.getBeanProvider(PluginBounds.class)
                            .ifUnique(bounds -> StateMeters.bind(registry, bounds.bulkheads())));
            beans.getBeanProvider(LocalRevocations.class).ifUnique(copy -> StateMeters.bind(registry, copy));
            beans.getBeanProvider(PasswordUpgrade.class).ifUnique(upgrade -> StateMeters.bind(registry, upgrade));
        };
    }
}
