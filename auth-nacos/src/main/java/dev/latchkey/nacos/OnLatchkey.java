package dev.latchkey.nacos;

import dev.latchkey.nacos.settings.ServerProperties;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether the configuration chooses this plugin, under either name of the property. Spring asks before the
 * configuration class is loaded, so this is also the place for the check of the server's classes.
 */
final class OnLatchkey implements Condition {

    OnLatchkey() {}

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String type = ServerProperties.type(context.getEnvironment()::getProperty);
        if (!LatchkeyAuthPluginService.NAME.equals(type)) {
            return false;
        }
        ServerClasses.require(context.getClassLoader());
        return true;
    }
}
