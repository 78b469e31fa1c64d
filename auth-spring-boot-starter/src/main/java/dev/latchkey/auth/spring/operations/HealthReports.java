package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.plugin.PluginBounds;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.store.LocalRevocations;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Reports of the service's state, for the health indicator of each line of Boot.
 *
 * @param required the plugins whose outage makes the health {@code DOWN}. An unknown name stops the start, since that name would
 *     protect nothing
 */
record HealthReports(
        Set<String> required,
        ObjectProvider<AuthChain> chains,
        ObjectProvider<HashingPermits> pools,
        ObjectProvider<PluginBounds> bounds,
        ObjectProvider<LocalRevocations> revocations,
        Outages outages)
        implements SmartInitializingSingleton {

    HealthReport now() {
        return HealthReport.of(
                pools.orderedStream().toList(),
                bounds.stream().flatMap(each -> each.bulkheads().stream()).toList(),
                revocations.stream().map(LocalRevocations::status).toList(),
                required,
                down(),
                outages);
    }

    private Set<String> down() {
        return chains.stream()
                .flatMap(chain -> chain.pluginsDown().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** After the singletons, since the plugins need beans that health must not create early. */
    @Override
    public void afterSingletonsInstantiated() {
        List<String> asked =
                chains.stream().flatMap(chain -> chain.pluginNames().stream()).toList();
        for (String name : required) {
            if (!asked.contains(name)) {
                throw new LatchkeyConfigurationException(
                        "latchkey.health.required-plugins names '" + name
                                + "', and no auth plugin of that name is asked; those that are: " + asked,
                        "Correct the name, or take it out of latchkey.health.required-plugins.");
            }
        }
    }

    /** The same on each line of Boot. */
    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(HealthProperties.class)
    static final class Configured {

        @Bean
        @ConditionalOnMissingBean
        Outages latchkeyOutages(@Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
            return new Outages(clock);
        }

        @Bean
        @ConditionalOnMissingBean
        HealthReports latchkeyHealthReports(
                HealthProperties properties,
                ObjectProvider<AuthChain> chains,
                ObjectProvider<HashingPermits> pools,
                ObjectProvider<PluginBounds> bounds,
                ObjectProvider<LocalRevocations> revocations,
                Outages outages) {
            return new HealthReports(
                    Set.copyOf(properties.requiredPlugins()), chains, pools, bounds, revocations, outages);
        }
    }
}
