package dev.latchkey.auth.spring;

import dev.latchkey.auth.jwt.JwtAuthPlugin;
import java.util.List;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;

/** Tokens, plugins and login in Boot's default filter chain, where the service has none and there is something to add. */
@AutoConfiguration(after = LatchkeyJwtAutoConfiguration.class)
@ConditionalOnClass(HttpSecurity.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.default-chain.enabled"},
        matchIfMissing = true)
@Conditional(LatchkeyWebAutoConfiguration.OnSomethingToAdd.class)
public final class LatchkeyWebAutoConfiguration {

    @Bean
    static BootChainPostProcessor latchkeyBootChainPostProcessor(ConfigurableListableBeanFactory beans) {
        return new BootChainPostProcessor(beans);
    }

    static final class OnSomethingToAdd extends AnyNestedCondition {

        OnSomethingToAdd() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(JwtAuthPlugin.class)
        static final class Tokens {}

        @ConditionalOnProperty("latchkey.login.enabled")
        static final class Login {}

        @Conditional(OnPluginNames.class)
        static final class Plugins {}
    }

    /** {@code @ConditionalOnProperty} does not see a list that is written as a list. */
    static final class OnPluginNames extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            List<String> names = Binder.get(context.getEnvironment())
                    .bind("latchkey.plugins", Bindable.listOf(String.class))
                    .orElse(List.of());
            return new ConditionOutcome(!names.isEmpty(), "latchkey.plugins names " + names);
        }
    }
}
