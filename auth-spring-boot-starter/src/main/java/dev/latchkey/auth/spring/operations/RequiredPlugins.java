package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The plugins whose outage makes the health {@code DOWN}. An unknown name stops the start, since that name would protect nothing.
 */
final class RequiredPlugins implements SmartInitializingSingleton {

    private final Set<String> names;
    private final ObjectProvider<AuthChain> chains;

    RequiredPlugins(Set<String> names, ObjectProvider<AuthChain> chains) {
        this.names = Set.copyOf(names);
        this.chains = chains;
    }

    Set<String> names() {
        return names;
    }

    /** After the singletons, since the plugins need beans that health must not create early. */
    @Override
    public void afterSingletonsInstantiated() {
        List<String> asked =
                chains.stream().flatMap(chain -> chain.pluginNames().stream()).toList();
        for (String name : names) {
            if (!asked.contains(name)) {
                throw new LatchkeyConfigurationException(
                        "latchkey.health.required-plugins names '" + name
                                + "', and no auth plugin of that name is asked; those that are: " + asked,
                        "Correct the name, or take it out of latchkey.health.required-plugins.");
            }
        }
    }
}
