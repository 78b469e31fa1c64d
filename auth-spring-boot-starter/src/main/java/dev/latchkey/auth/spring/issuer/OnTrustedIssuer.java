package dev.latchkey.auth.spring.issuer;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the service has a trusted issuer. */
final class OnTrustedIssuer extends SpringBootCondition implements ConfigurationCondition {

    private static final String PROPERTIES = "latchkey.trusted-issuers";

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean isNamed = Binder.get(context.getEnvironment())
                .bind(PROPERTIES, Bindable.mapOf(String.class, String.class))
                .isBound();
        boolean isBean = context.getBeanFactory() != null
                && context.getBeanFactory().getBeanNamesForType(TrustedIssuer.class, true, false).length > 0;
        ConditionMessage.Builder message = ConditionMessage.forCondition("Trusted issuer");
        return isNamed || isBean
                ? ConditionOutcome.match(message.available(isNamed ? PROPERTIES : "a TrustedIssuer bean"))
                : ConditionOutcome.noMatch(message.because("no trusted issuer is named"));
    }
}
