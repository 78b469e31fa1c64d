package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.spring.endpoint.AuthEndpoint;
import dev.latchkey.auth.spring.endpoint.LatchkeyLoginEndpointsAutoConfiguration;
import dev.latchkey.auth.spring.endpoint.LoginAnswers;
import dev.latchkey.auth.spring.http.ReactiveRefusals;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.http.TokenHeader;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.plugin.OnSomethingToAdd;
import dev.latchkey.auth.spring.plugin.ReactiveLatchkeyPasswords;
import dev.latchkey.auth.spring.plugin.ReactivePlugins;
import dev.latchkey.auth.spring.plugin.SessionRevocations;
import dev.latchkey.auth.spring.plugin.UserDetailsPlugin;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.auth.spring.token.RevocationReasons;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.web.server.WebFilter;

/** Tokens, plugins and login in a WebFlux service: for the service's own chains, or else for the default chain. */
@AutoConfiguration(
        after = {
            LatchkeyAutoConfiguration.class,
            LatchkeyGuardAutoConfiguration.class,
            LatchkeyJwtAutoConfiguration.class,
            LatchkeyLoginEndpointsAutoConfiguration.class
        })
@ConditionalOnClass({ServerHttpSecurity.class, WebFilter.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
public final class LatchkeyReactiveWebAutoConfiguration {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    ReactiveWork latchkeyReactiveWork() {
        return new ReactiveWork();
    }

    @Bean
    @ConditionalOnMissingBean
    ReactivePlugins latchkeyReactivePlugins(
            AuthChain plugins,
            ObjectProvider<AuthPlugin> beans,
            ObjectProvider<RevocationStore> revocations,
            ReactiveWork work) {
        Set<String> waiting = new HashSet<>(plugins.pluginNames());
        if (revocations.stream().allMatch(InMemoryRevocationStore.class::isInstance)) {
            beans.stream()
                    .filter(plugin -> plugin instanceof UserDetailsPlugin
                            || (plugin instanceof JwtAuthPlugin tokens && !tokens.looksAccountsUp()))
                    .forEach(plugin -> waiting.remove(plugin.name()));
        }
        return new ReactivePlugins(plugins, work, waiting.isEmpty());
    }

    @Bean
    @ConditionalOnMissingBean
    ReactiveLatchkeyPasswords latchkeyReactivePasswords(
            AuthChain plugins,
            ReactiveWork work,
            LatchkeyProperties properties,
            ObjectProvider<LoginLimitGate> limits,
            ConfigurableListableBeanFactory beans) {
        return new ReactiveLatchkeyPasswords(plugins, work, properties, limits.getIfAvailable(), beans);
    }

    @Bean
    @ConditionalOnMissingBean
    LatchkeyWebFlux latchkeyWebFlux(
            ReactivePlugins plugins,
            ReactiveLatchkeyPasswords passwords,
            ReactiveWork work,
            LatchkeyProperties properties,
            ObjectProvider<AuthEndpoint> endpoints,
            ObjectProvider<HeldRefusals> held,
            ObjectProvider<RevocationReasons> reasons,
            RevocationStore revocations,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock,
            ListableBeanFactory beans) {
        OwnManagerNotice.log(passwords, beans);
        ReactiveRefusals refusals = new ReactiveRefusals(held.getIfAvailable());
        RequestContexts contexts = RequestContexts.of(properties);
        return new LatchkeyWebFlux(
                plugins,
                passwords.manager(),
                TokenHeader.of(properties),
                contexts,
                endpoints
                        .orderedStream()
                        .map(endpoint -> new ReactiveEndpointFilter(endpoint, work, refusals, contexts))
                        .toList(),
                new ReactivePreflightFilter(endpoints.orderedStream().toList()),
                refusals,
                reasons.getIfAvailable(),
                new SessionRevocations(plugins.chain(), revocations, clock));
    }

    @Bean
    @ConditionalOnProperty("latchkey.login.enabled")
    @ConditionalOnMissingBean
    ReactiveTokensAfterLogin latchkeyReactiveTokensAfterLogin(
            LoginAnswers answers, ReactiveWork work, LatchkeyProperties properties) {
        return new ReactiveTokensAfterLogin(answers, work, RequestContexts.of(properties));
    }

    @Bean
    @ConditionalOnProperty("latchkey.login.enabled")
    @ConditionalOnMissingBean
    LoginWithoutAChain latchkeyLoginWithoutAChain(LatchkeyWebFlux latchkey) {
        return new LoginWithoutAChain(latchkey);
    }

    @Bean
    @Conditional(OnSomethingToAdd.class)
    static ReactiveBootChainPostProcessor latchkeyReactiveBootChainPostProcessor(
            ConfigurableListableBeanFactory beans, ObjectProvider<LatchkeyWebFlux> latchkey) {
        return new ReactiveBootChainPostProcessor(beans, latchkey);
    }

    @Bean
    static ChainsWithoutBasic latchkeyChainsWithoutBasic() {
        return new ChainsWithoutBasic();
    }
}
