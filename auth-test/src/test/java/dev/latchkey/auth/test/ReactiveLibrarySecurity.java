package dev.latchkey.auth.test;

import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** The library's rules on WebFlux. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@EnableWebFluxSecurity
public class ReactiveLibrarySecurity {

    @Bean
    SecurityWebFilterChain rules(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {

        return latchkey.addTo(http)
                .authorizeExchange(exchanges -> exchanges
                        .pathMatchers("/shelves")
                        .hasRole("LIBRARIAN")
                        .anyExchange()
                        .authenticated())
                .csrf(ServerHttpSecurity.CsrfSpec::disable)
                .build();
    }
}
