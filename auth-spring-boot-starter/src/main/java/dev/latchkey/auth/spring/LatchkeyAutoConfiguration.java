package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.AuthListener;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Secret;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.convert.converter.Converter;

/** The chain of plugins: the beans, and what the class path offers under the names that {@code latchkey.plugins} gives. */
@AutoConfiguration
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LatchkeyProperties.class)
@ImportRuntimeHints(PluginRuntimeHints.class)
public final class LatchkeyAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    AuthChain latchkeyAuthChain(
            LatchkeyProperties properties, ObjectProvider<AuthPlugin> plugins, ObjectProvider<AuthListener> listeners) {
        AuthChain chain =
                PluginSelection.from(properties, plugins.orderedStream().toList());
        for (AuthListener listener : listeners.orderedStream().toList()) {
            chain = chain.withListener(listener);
        }
        return chain;
    }

    /** Configuration values that are secret are never held as text that a log could print. */
    @Bean
    @ConfigurationPropertiesBinding
    static Converter<String, Secret> latchkeySecretConverter() {
        return new SecretConverter();
    }

    private static final class SecretConverter implements Converter<String, Secret> {

        @Override
        public Secret convert(String source) {
            return Secret.of(source.trim());
        }
    }
}
