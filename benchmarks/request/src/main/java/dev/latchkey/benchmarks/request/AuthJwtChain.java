package dev.latchkey.benchmarks.request;

import java.util.Base64;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;

/** A filter by hand over {@code auth-jwt}, without the starter. */
@Configuration(proxyBeanMethods = false)
class AuthJwtChain {

    @Bean
    SecurityFilterChain tokens(HttpSecurity http, @Value("${request.key}") String key) {
        return StatelessChain.authenticated(http)
                .addFilterBefore(
                        new AuthJwtFilter(Base64.getDecoder().decode(key)), UsernamePasswordAuthenticationFilter.class)
                .build();
    }
}
