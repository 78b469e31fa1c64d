package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.jwt.JwtAuthPlugin;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Latchkey can add a part to Boot's default chain: tokens, tokens of other issuers, the login endpoints, or plugins by name. */
public final class OnSomethingToAdd extends AnyNestedCondition {

    OnSomethingToAdd() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBean(JwtAuthPlugin.class)
    static final class Tokens {}

    @ConditionalOnBean(OutsideSubjects.class)
    static final class Issuers {}

    @ConditionalOnProperty("latchkey.login.enabled")
    static final class Login {}

    @Conditional(OnPluginNames.class)
    static final class Plugins {}

    /** {@code @ConditionalOnProperty} does not see a YAML list. */
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
