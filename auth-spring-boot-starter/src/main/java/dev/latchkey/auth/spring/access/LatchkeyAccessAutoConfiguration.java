package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.security.access.PermissionEvaluator;
import org.springframework.security.access.expression.method.MethodSecurityExpressionHandler;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

/** Has the plugins asked about permissions, where the service says nothing of its own about that. */
@AutoConfiguration(after = LatchkeyAutoConfiguration.class)
@ConditionalOnClass(PermissionEvaluator.class)
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.permissions.enabled"},
        matchIfMissing = true)
@ImportRuntimeHints(MethodExpressions.Hints.class)
public final class LatchkeyAccessAutoConfiguration {

    static final String EVALUATOR = "latchkeyPermissionEvaluator";

    @Bean(EVALUATOR)
    @ConditionalOnMissingBean
    PermissionEvaluator latchkeyPermissionEvaluator(ObjectProvider<AuthChain> plugins) {
        return new PluginPermissionEvaluator(plugins);
    }

    /** What Spring Security evaluates its annotations with on servlets. */
    @Bean
    @ConditionalOnClass(EnableMethodSecurity.class)
    @ConditionalOnBean(name = EVALUATOR)
    @ConditionalOnMissingBean
    MethodSecurityExpressionHandler latchkeyMethodExpressions(
            PermissionEvaluator evaluator, ConfigurableListableBeanFactory beans) {
        return MethodExpressions.asking(evaluator, beans);
    }

    /** On WebFlux that is a bean of Spring Security's own, which gets the evaluator. */
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

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RequestAuthorizationContext.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static final class Rules {

        @Bean
        @ConditionalOnMissingBean
        LatchkeyPermissions latchkeyPermissions(AuthChain plugins) {
            return new LatchkeyPermissions(plugins);
        }
    }
}
