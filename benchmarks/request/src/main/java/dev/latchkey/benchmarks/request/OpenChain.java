package dev.latchkey.benchmarks.request;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** All filters of the others but the one that reads a token, and whoever comes is let in. */
@Configuration(proxyBeanMethods = false)
class OpenChain {

    @Bean
    SecurityFilterChain open(HttpSecurity http) {
        return StatelessChain.of(http)
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .build();
    }
}
