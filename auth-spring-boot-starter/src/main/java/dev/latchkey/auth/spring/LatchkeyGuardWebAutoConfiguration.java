package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.guard.LoginGuard;
import dev.latchkey.auth.guard.TrustedProxies;
import jakarta.servlet.ServletContext;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.DispatcherServlet;

/** The guard before every login of a servlet service, whoever made its filter chains. */
@AutoConfiguration(after = {LatchkeyGuardAutoConfiguration.class, LatchkeyCacheAutoConfiguration.class})
@ConditionalOnClass({HttpSecurity.class, AbstractFilterRegistrationBean.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.guard.enabled"},
        matchIfMissing = true)
@ImportRuntimeHints(CachingProviderRuntimeHints.class)
public final class LatchkeyGuardWebAutoConfiguration {

    /** Room for the hash itself, beyond all that a login may wait for it. */
    private static final Duration HASH = Duration.ofSeconds(5);

    @Bean
    static GuardProviderPostProcessor latchkeyGuardProviderPostProcessor() {
        return new GuardProviderPostProcessor();
    }

    /** Asked for only when a chain is made: whatever a post-processor needs at once is made too early to be processed itself. */
    @Bean
    static GuardChainPostProcessor latchkeyGuardChainPostProcessor(
            ObjectProvider<LoginGuard> guards,
            ObjectProvider<TrustedProxies> proxies,
            ObjectProvider<LatchkeyProperties> properties,
            ObjectProvider<AuthPlugin> plugins,
            ListableBeanFactory beans) {
        SingletonSupplier<LoginGuard> guard = SingletonSupplier.of(guards::getObject);
        SingletonSupplier<TrustedProxies> trusted = SingletonSupplier.of(proxies::getObject);
        SingletonSupplier<FilterChainProxy> chains =
                SingletonSupplier.of(() -> beans.getBean("springSecurityFilterChain", FilterChainProxy.class));
        SingletonSupplier<Set<String>> known = SingletonSupplier.of(() -> GuardedChain.ofThisLibrary(plugins));
        SingletonSupplier<AsyncReadiness> readiness = SingletonSupplier.of(() -> readiness(
                properties.getObject().guard(),
                guard.obtain(),
                chains::obtain,
                new AsyncMappings(beans, () -> beans.getBean(ServletContext.class)),
                new HandlerLookups(beans)));
        return new GuardChainPostProcessor(
                SingletonSupplier.of(
                        () -> new GuardRequestFilter(guard::obtain, trusted::obtain, known::obtain, readiness::obtain)),
                readiness);
    }

    private static AsyncReadiness readiness(
            GuardProperties settings,
            LoginGuard guard,
            Supplier<FilterChainProxy> chains,
            AsyncMappings mappings,
            HandlerLookups lookups) {
        Duration given = settings.asyncTimeout();
        return new AsyncReadiness(settings.async(), chains, mappings, lookups, given == null ? timeout(guard) : given);
    }

    private static Duration timeout(LoginGuard guard) {
        Duration inLine = guard.limits().settings().waiting().longest();
        return inLine.plus(guard.pool().settings().maxWait())
                .plus(guard.refusals().longest())
                .plus(HASH);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DispatcherServlet.class)
    static final class Mvc {

        @Bean
        @ConditionalOnMissingBean(name = "latchkeyRefusalResolver")
        RefusalResolver latchkeyRefusalResolver(ApplicationContext context) {
            return new RefusalResolver(context);
        }
    }
}
