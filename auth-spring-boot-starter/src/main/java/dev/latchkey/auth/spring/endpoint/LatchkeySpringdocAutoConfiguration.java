package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/** The endpoints of this service in the document of springdoc, if the service has springdoc. */
@AutoConfiguration(after = LatchkeyLoginEndpointsAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnClass(OpenApiCustomizer.class)
@ConditionalOnBean(TokenEndpoint.class)
@ImportRuntimeHints(LatchkeySpringdocAutoConfiguration.Description.class)
public final class LatchkeySpringdocAutoConfiguration {

    /** A bean of the service with this name replaces the description of the endpoints. */
    @Bean
    @ConditionalOnMissingBean(name = "latchkeyOpenApiCustomizer")
    OpenApiCustomizer latchkeyOpenApiCustomizer(LatchkeyProperties properties, ObjectProvider<AuthEndpoint> endpoints) {
        EndpointDescription description = new EndpointDescription(
                properties.login().basePath(), endpoints.orderedStream().toList());
        return description::addTo;
    }

    /** The description is in the jar. */
    static final class Description implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            hints.resources().registerPattern(EndpointDescription.RESOURCE);
        }
    }
}
