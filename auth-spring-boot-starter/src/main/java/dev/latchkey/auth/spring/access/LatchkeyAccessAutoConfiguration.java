package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.store.RevocationStore;
import java.time.InstantSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.security.access.PermissionEvaluator;
import org.springframework.security.access.expression.method.MethodSecurityExpressionHandler;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

/** Lets Spring Security ask the plugins for permissions, if the service has no permission evaluator of its own. */
@AutoConfiguration(after = LatchkeyAutoConfiguration.class)
@ConditionalOnClass(PermissionEvaluator.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@ImportRuntimeHints(MethodExpressions.Hints.class)
public final class LatchkeyAccessAutoConfiguration {

    // The beans are lazy: a service without rules for permissions creates no such bean.

    static final String EVALUATOR = "latchkeyPermissionEvaluator";

    // Both sources abstain from unknown resources. A source without an order may deny these resources, so both sources
    // come first. Bans come before authorities, because an authority with a star may cover the banned feature.

    private static final int FEATURES = 10;

    private static final int AUTHORITIES = 20;

    @Bean(EVALUATOR)
    @Lazy
    @ConditionalOnMissingBean
    PermissionEvaluator latchkeyPermissionEvaluator(ObjectProvider<AuthChain> plugins) {
        return new PluginPermissionEvaluator(plugins);
    }

    /** The expression handler of method security on servlets. */
    @Bean
    @Lazy
    @ConditionalOnClass(EnableMethodSecurity.class)
    @ConditionalOnBean(name = EVALUATOR)
    @ConditionalOnMissingBean
    MethodSecurityExpressionHandler latchkeyMethodExpressions(
            PermissionEvaluator evaluator, ConfigurableListableBeanFactory beans) {
        return MethodExpressions.asking(evaluator, beans);
    }

    /** On WebFlux, Spring Security's handler bean gets the evaluator. */
    @Bean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(EnableReactiveMethodSecurity.class)
    @ConditionalOnBean(name = EVALUATOR)
    static ReactiveMethodExpressions latchkeyReactiveMethodExpressions(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<PermissionEvaluator> evaluator,
            ObjectProvider<ReactiveWork> work) {
        return new ReactiveMethodExpressions(beans, evaluator, work);
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    RecentProof latchkeyRecentProof(@Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new RecentProof(clock);
    }

    @Bean
    @ConditionalOnProperty("latchkey.permissions.by-authorities")
    @ConditionalOnMissingBean
    @Order(AUTHORITIES)
    AuthorityPermissions latchkeyAuthorityPermissions() {
        return new AuthorityPermissions();
    }

    @Bean
    @ConditionalOnProperty("latchkey.permissions.features")
    @ConditionalOnMissingBean
    FeatureBans latchkeyFeatureBans(
            RevocationStore store, @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new FeatureBans(store, clock);
    }

    @Bean
    @ConditionalOnBean(FeatureBans.class)
    @ConditionalOnMissingBean
    @Order(FEATURES)
    FeaturePermissions latchkeyFeaturePermissions(FeatureBans bans) {
        return new FeaturePermissions(bans);
    }

    /** Fails the start if {@code latchkey.plugins} omits the plugin: the bans would have no effect. */
    @Bean
    @ConditionalOnBean(FeaturePermissions.class)
    @ConditionalOnMissingBean(name = "latchkeyFeaturesAreAsked")
    InitializingBean latchkeyFeaturesAreAsked(AuthChain plugins) {
        return () -> {
            if (!plugins.pluginNames().contains(FeaturePermissions.NAME)) {
                throw new LatchkeyConfigurationException(
                        "latchkey.permissions.features is true, and latchkey.plugins does not name features: a ban would ban"
                                + " nobody",
                        "Add features to latchkey.plugins, or remove latchkey.permissions.features.");
            }
        };
    }

    @Bean
    @Lazy
    @ConditionalOnClass(RequestAuthorizationContext.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnMissingBean
    LatchkeyPermissions latchkeyPermissions(AuthChain plugins) {
        return new LatchkeyPermissions(plugins);
    }
}
