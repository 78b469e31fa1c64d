package dev.latchkey.benchmarks.request;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** The one line that a service adds, and a key. */
@Configuration(proxyBeanMethods = false)
class LatchkeyChain {

    @Bean
    SecurityFilterChain tokens(HttpSecurity http) {
        return StatelessChain.authenticated(http)
                .with(latchkey(), withDefaults())
                .build();
    }
}
