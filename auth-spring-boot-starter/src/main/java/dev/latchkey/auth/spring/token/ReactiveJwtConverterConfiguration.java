package dev.latchkey.auth.spring.token;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.server.resource.authentication.ReactiveJwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.authentication.ReactiveJwtGrantedAuthoritiesConverterAdapter;
import reactor.core.publisher.Mono;

/** {@link JwtConverterConfiguration} for WebFlux: Spring's resource server gets scopes and authorities. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ReactiveJwtAuthenticationConverter.class, Mono.class})
@ConditionalOnBean(LatchkeyReactiveJwtDecoder.class)
final class ReactiveJwtConverterConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ReactiveJwtAuthenticationConverter latchkeyReactiveJwtAuthenticationConverter() {
        ReactiveJwtAuthenticationConverter converter = new ReactiveJwtAuthenticationConverter();
        converter.setJwtGrantedAuthoritiesConverter(
                new ReactiveJwtGrantedAuthoritiesConverterAdapter(JwtConverterConfiguration.authorities()));
        return converter;
    }
}
