package dev.latchkey.auth.spring.token;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.security.oauth2.server.resource.authentication.ReactiveJwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.authentication.ReactiveJwtGrantedAuthoritiesConverterAdapter;
import reactor.core.publisher.Mono;

/** What {@link LatchkeyJwtConverterAutoConfiguration} is on servlets: scopes and authorities, both seen by Spring's resource server. */
@AutoConfiguration(
        after = LatchkeyReactiveJwtDecoderAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.security.oauth2.resource.reactive.ReactiveOAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.reactive.ReactiveOAuth2ResourceServerAutoConfiguration"
        })
@ConditionalOnClass({ReactiveJwtAuthenticationConverter.class, Mono.class})
@ConditionalOnBean(LatchkeyReactiveJwtDecoder.class)
public final class LatchkeyReactiveJwtConverterAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ReactiveJwtAuthenticationConverter latchkeyReactiveJwtAuthenticationConverter() {
        ReactiveJwtAuthenticationConverter converter = new ReactiveJwtAuthenticationConverter();
        converter.setJwtGrantedAuthoritiesConverter(
                new ReactiveJwtGrantedAuthoritiesConverterAdapter(LatchkeyJwtConverterAutoConfiguration.authorities()));
        return converter;
    }
}
