package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthListener;
import dev.latchkey.auth.engine.LoginGate;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.guard.login.LimitedLogins;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.RequestThreads;
import dev.latchkey.auth.spring.settings.SettingsConfiguration;
import java.time.InstantSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/** The chain of plugins: the beans, and what the class path offers under the names that {@code latchkey.plugins} gives. */
@AutoConfiguration
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Import({SettingsConfiguration.class, EventsConfiguration.class, PluginManagerConfiguration.class})
@ImportRuntimeHints({FactorAuthorities.Hints.class, PluginRuntimeHints.class})
public final class LatchkeyAutoConfiguration {

    /**
     * The name of the bean that tells the time to all that has an end. It goes by its name, since a clock of the service's may be for something else.
     */
    public static final String CLOCK = "latchkeyClock";

    /** Not a candidate where the service injects a clock of its own. */
    @Bean(name = CLOCK, defaultCandidate = false)
    @ConditionalOnMissingBean(name = CLOCK)
    InstantSource latchkeyClock() {
        return InstantSource.system();
    }

    @Bean
    @ConditionalOnMissingBean
    PluginBounds latchkeyPluginBounds(
            LatchkeyProperties properties,
            ObjectProvider<CredentialCache> caches,
            ObjectProvider<LimitedLogins> logins,
            Environment environment) {
        return new PluginBounds(
                new PluginSettings(properties.plugin()),
                RequestThreads.of(environment),
                caches.getIfUnique(),
                logins.getIfUnique());
    }

    @Bean
    @ConditionalOnMissingBean
    AuthChain latchkeyAuthChain(
            LatchkeyProperties properties,
            ListableBeanFactory beans,
            ObjectProvider<AuthPlugin> plugins,
            ObjectProvider<AuthListener> listeners,
            ObjectProvider<LoginGate> gates,
            PluginBounds bounds,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        AuthChain chain = PluginSelection.from(
                        properties,
                        beans.getBeansOfType(AuthPlugin.class),
                        plugins.orderedStream().toList(),
                        new PluginSettings(properties.plugin()),
                        bounds)
                .withClock(clock)
                .withGate(gates.getIfAvailable(() -> LoginGate.OPEN));
        for (AuthListener listener : listeners.orderedStream().toList()) {
            chain = chain.withListener(listener);
        }
        return chain;
    }

    /** What the log says of stores that are asked without a plugin in between; the chain has its own for the plugins. */
    @Bean
    @ConditionalOnMissingBean
    OutageLog latchkeyStoreOutages(@Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return OutageLog.ofStores(clock);
    }
}
