package dev.latchkey.auth.spring.settings;

import dev.latchkey.auth.Secret;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.converter.Converter;

/**
 * The properties, and how those that are secret are read. Each auto-configuration that needs them imports this, since a service may exclude the
 * others.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LatchkeyProperties.class)
public final class SettingsConfiguration {

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
