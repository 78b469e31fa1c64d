package dev.latchkey.benchmarks.request;

import static org.springframework.security.config.Customizer.withDefaults;

import java.util.Base64;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;

/** Spring's resource server on a decoder by Nimbus, as its reference has it for a symmetric key. */
@Configuration(proxyBeanMethods = false)
class ResourceServerChain {

    @Bean
    JwtDecoder decoder(@Value("${request.key}") String key) {
        return NimbusJwtDecoder.withSecretKey(
                        new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"))
                .build();
    }

    @Bean
    SecurityFilterChain tokens(HttpSecurity http) {
        return StatelessChain.authenticated(http)
                .oauth2ResourceServer(server -> server.jwt(withDefaults()))
                .build();
    }
}
