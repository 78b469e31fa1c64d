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

/** Lets Spring Security ask the plugins for permissions, if the service has no evaluator of its own. */
@AutoConfiguration(after = LatchkeyAutoConfiguration.class)
@ConditionalOnClass(PermissionEvaluator.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@ImportRuntimeHints(MethodExpressions.Hints.class)
public final class LatchkeyAccessAutoConfiguration {

    // Lazy beans: a service without rules for permissions creates none of them.

    static final String EVALUATOR = "latchkeyPermissionEvaluator";

    // Both abstain from what they do not know. A source without an order may deny it, so both come first.
    // A ban comes before an authority with a star, which may cover the feature.

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

    /** A left-out plugin must not switch the bans off. */
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
