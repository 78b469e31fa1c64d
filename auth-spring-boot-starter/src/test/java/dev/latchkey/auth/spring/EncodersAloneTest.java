package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.spring.password.LatchkeyEncodersAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** A service with Spring Security's encoders alone. The rest of Spring Security is really absent, not only hidden from conditions. */
class EncodersAloneTest {

    @Test
    void serviceWithTheEncodersOfSpringSecurityAlone_hasThemBehindTheCache() throws Exception {
        assertThat(FreshClassPath.without(
                                "spring-security-core",
                                "spring-security-config",
                                "spring-security-web",
                                "spring-security-test",
                                "spring-security-oauth2-core",
                                "spring-security-oauth2-client",
                                "spring-security-oauth2-jose",
                                "spring-security-oauth2-resource-server",
                                "spring-security-saml2-service-provider")
                        .call(Asked.class))
                .containsExactly("LoginEncoder", "right true", "right again true", "wrong false", "1 from the cache");
    }

    /** Made and asked by the other loader. */
    static final class Asked implements Callable<List<String>> {

        @Override
        public List<String> call() {
            try (ConfigurableApplicationContext service = new SpringApplicationBuilder(Service.class)
                    .web(WebApplicationType.NONE)
                    .run()) {
                PasswordEncoder encoder = service.getBean(PasswordEncoder.class);
                String stored = encoder.encode("right");
                return List.of(
                        encoder.getClass().getSimpleName(),
                        "right " + encoder.matches("right", stored),
                        "right again " + encoder.matches("right", stored),
                        "wrong " + encoder.matches("wrong", stored),
                        service.getBean(CredentialCache.class).stats().hits() + " from the cache");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        LatchkeyAutoConfiguration.class,
        LatchkeyEncodersAutoConfiguration.class,
        LatchkeyGuardAutoConfiguration.class
    })
    static class Service {

        @Bean
        PasswordEncoder encoder() {
            return new BCryptPasswordEncoder(4);
        }
    }
}
