package dev.latchkey.benchmarks.services;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** The same service with Latchkey's login endpoint and tokens in place of its own. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "subject.chain", havingValue = "LATCHKEY")
class LatchkeyChainConfiguration {

    @Bean
    @Order(3)
    SecurityFilterChain latchkeyTokens(HttpSecurity http) {
        return ChainConfiguration.stateless(http)
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .with(latchkey(), withDefaults())
                .build();
    }
}
