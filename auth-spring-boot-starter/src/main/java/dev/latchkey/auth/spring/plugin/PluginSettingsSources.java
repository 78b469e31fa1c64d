package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.engine.PluginConfig;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** The places that a service sets plugins' settings in, and the properties classes that read some of them. */
record PluginSettingsSources(Environment environment, ListableBeanFactory beans) {

    /** The file and line, environment variable or source with the key that wins; empty if the key is not set. */
    String originOf(String key) {
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(key, '.');
        if (!(environment instanceof ConfigurableEnvironment configurable)) {
            return "";
        }
        for (ConfigurationPropertySource source :
                ConfigurationPropertySources.from(configurable.getPropertySources())) {
            ConfigurationProperty property = source.getConfigurationProperty(name);
            if (property != null) {
                return String.valueOf(
                        property.getOrigin() != null ? property.getOrigin() : source.getUnderlyingSource());
            }
        }
        return "";
    }

    /** The plugins, in uniform spelling, with a {@code @ConfigurationProperties} class of their own. */
    Set<String> pluginsWithPropertiesClass() {
        return Stream.of(beans.getBeanNamesForAnnotation(ConfigurationProperties.class))
                .map(bean -> beans.findAnnotationOnBean(bean, ConfigurationProperties.class, false))
                .flatMap(found -> found == null ? Stream.empty() : Stream.of(found.value(), found.prefix()))
                .filter(prefix -> prefix.startsWith(PluginSettings.PREFIX))
                .map(prefix -> PluginConfig.uniform(
                        prefix.substring(PluginSettings.PREFIX.length()).split("\\.", -1)[0]))
                .collect(Collectors.toSet());
    }
}
