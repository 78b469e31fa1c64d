package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthListener;
import dev.latchkey.auth.engine.Callers;
import dev.latchkey.auth.engine.LoginGate;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.engine.PluginHost;
import dev.latchkey.auth.guard.RequestThreads;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.SettingsConfiguration;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreRevoker;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.config.annotation.authentication.configuration.GlobalAuthenticationConfigurerAdapter;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.util.ClassUtils;

/**
 * The chain of plugins: the beans, the plugins of the class path named in {@code latchkey.plugins}, and the service's own accounts.
 * Runs after Boot's configuration of a default user.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration"
        })
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Import({SettingsConfiguration.class, PluginManagerConfigurer.class, ReactiveUsersConfiguration.class})
@ImportRuntimeHints({FactorAuthorities.Hints.class, OutsideSources.Hints.class, PluginRuntimeHints.class})
public final class LatchkeyAutoConfiguration {

    /**
     * The name of the clock bean for all expiry times. Injected by name, because the service may have a clock for another
     * purpose.
     */
    public static final String CLOCK = "latchkeyClock";

    /**
     * The name of an optional {@code LongSupplier} bean in place of {@link System#nanoTime}, for the age of cached roles, API
     * keys and accounts. Only tests define this bean: time in a service must not be skipped.
     */
    public static final String NANO_TIME = "latchkeyNanoTime";

    private static final boolean HAS_SECURITY = ClassUtils.isPresent(
            "org.springframework.security.authentication.AuthenticationEventPublisher",
            LatchkeyAutoConfiguration.class.getClassLoader());

    /** Not a candidate if the service injects its own clock. */
    @Bean(name = CLOCK, defaultCandidate = false)
    @ConditionalOnMissingBean(name = CLOCK)
    InstantSource latchkeyClock() {
        return InstantSource.system();
    }

    /**
     * Revocations end HTTP sessions too, so a service without tokens needs a store as well. A shared store replaces this bean.
     */
    @Bean
    @ConditionalOnMissingBean
    RevocationStore latchkeyRevocationStore(
            LatchkeyProperties properties, @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        if (properties.store() == null) {
            UnusedStoreNotice.log();
        }
        return new InMemoryRevocationStore(properties.longestLifetime(), clock);
    }

    /** No parameter has a type of Spring Security, because a service may lack Spring Security. */
    @Bean
    @ConditionalOnSingleCandidate(UserDetailsService.class)
    @ConditionalOnMissingBean
    @Order(UserDetailsPlugin.ORDER)
    UserDetailsPlugin latchkeyUsersPlugin(BeanFactory beans, LatchkeyProperties properties) {
        return ServiceAccounts.plugin(beans, properties);
    }

    @Bean
    @ConditionalOnMissingBean
    PluginBounds latchkeyPluginBounds(
            LatchkeyProperties properties,
            ObjectProvider<CredentialCache> caches,
            ObjectProvider<LoginLimitGate> logins,
            ListableBeanFactory beans,
            Environment environment) {
        return new PluginBounds(
                settings(properties, new PluginSettingsSources(environment, beans)),
                threadsOfPlugins(beans, environment),
                caches.getIfUnique(),
                logins.getIfUnique());
    }

    /** On WebFlux, plugins run on the threads of {@link ReactiveWork}, otherwise on request threads. */
    private static int threadsOfPlugins(ListableBeanFactory beans, Environment environment) {
        return beans.getBeanNamesForType(ReactiveWork.class, true, false).length > 0
                ? ReactiveWork.THREADS
                : RequestThreads.of(environment::getProperty).number();
    }

    @Bean
    @ConditionalOnMissingBean
    AuthChain latchkeyAuthChain(
            LatchkeyProperties properties,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<AuthPlugin> plugins,
            ObjectProvider<AuthListener> listeners,
            ObjectProvider<LoginGate> gates,
            RevocationStore revocations,
            PluginBounds bounds,
            Environment environment,
            ApplicationEventPublisher events,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        PluginSettingsSources sources = new PluginSettingsSources(environment, beans);
        AuthChain chain = PluginSelection.from(
                        properties,
                        beans.getBeansOfType(AuthPlugin.class),
                        plugins.orderedStream().toList(),
                        settings(properties, sources),
                        sources::pluginsWithPropertiesClass,
                        HAS_SECURITY && ServiceAccounts.hasLogins(beans),
                        bounds,
                        new PluginHost(
                                clock,
                                Stream.concat(listeners.orderedStream(), securityEvents(beans, events))
                                        .toList()))
                .withGate(gates.getIfAvailable(() -> LoginGate.OPEN));
        if (HAS_SECURITY && properties.login().enabled()) {
            new LoginEndpointNotice(beans).log(chain, properties.plugins() != null);
        }
        return withRevocations(chain, revocations);
    }

    /**
     * The record of revocations comes first. The plugin of tokens records revocations in its own store, so a second record would
     * change nothing.
     */
    private static AuthChain withRevocations(AuthChain chain, RevocationStore store) {
        return chain.withRevoker(chain.plugins().stream()
                .filter(JwtAuthPlugin.class::isInstance)
                .<CredentialsRevoker>map(JwtAuthPlugin.class::cast)
                .findFirst()
                .orElseGet(() -> new StoreRevoker(store)));
    }

    /** Spring Security's events, if Spring Security is on the class path. */
    private static Stream<AuthListener> securityEvents(ListableBeanFactory beans, ApplicationEventPublisher events) {
        return HAS_SECURITY ? Stream.of(SecurityEvents.in(beans, events)) : Stream.empty();
    }

    private static PluginSettings settings(LatchkeyProperties properties, PluginSettingsSources sources) {
        return new PluginSettings(properties.plugin(), sources::originOf);
    }

    /** The log of store outages without a plugin in between; the chain has its own log for plugins. */
    @Bean
    @ConditionalOnMissingBean
    OutageLog latchkeyStoreOutages(@Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return OutageLog.ofStores(clock);
    }

    /** Names the callers of plugins' endpoints, if Spring Security is on the class path. */
    @Bean
    @Lazy
    @ConditionalOnClass(AuthenticationEventPublisher.class)
    @ConditionalOnMissingBean
    Callers latchkeyCallers(AuthChain plugins) {
        return new Subjects(plugins);
    }

    @Bean
    @ConditionalOnClass(GlobalAuthenticationConfigurerAdapter.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnMissingBean
    LatchkeyPasswords latchkeyPasswords(AuthChain plugins) {
        return new LatchkeyPasswords(plugins);
    }
}
