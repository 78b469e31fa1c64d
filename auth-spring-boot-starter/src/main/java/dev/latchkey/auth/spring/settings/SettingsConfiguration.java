package dev.latchkey.auth.spring.settings;

import dev.latchkey.auth.Secret;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.converter.Converter;

/**
 * Binds the properties, and converts secret values at once, so that no text remains for a log. Imported by
 * auto-configurations that depend on properties alone: Spring asks the conditions of the importers too early for beans.
 */
@Configuration(proxyBeanMethods = false)
@ConfigurationPropertiesBinding
@EnableConfigurationProperties(LatchkeyProperties.class)
public final class SettingsConfiguration implements Converter<String, Secret> {

    @Override
    public Secret convert(String source) {
        return Secret.of(source.trim());
    }
}
