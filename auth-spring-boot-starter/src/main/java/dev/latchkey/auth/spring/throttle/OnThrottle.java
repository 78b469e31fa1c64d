package dev.latchkey.auth.spring.throttle;

import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** At least one throttle is configured; {@code @ConditionalOnProperty} does not see a map. */
final class OnThrottle extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Map<String, Object> throttles = Binder.get(context.getEnvironment())
                .bind("latchkey.throttle", Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of());
        return new ConditionOutcome(!throttles.isEmpty(), "latchkey.throttle names " + throttles.keySet());
    }
}
