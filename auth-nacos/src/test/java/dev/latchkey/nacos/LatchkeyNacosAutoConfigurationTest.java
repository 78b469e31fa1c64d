package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.authentication.builders.AuthenticationManagerBuilder;

/** What no request reaches as long as the filters are there. */
final class LatchkeyNacosAutoConfigurationTest {

    @Test
    void managerOfSpringSecurity_letsNobodyIn() throws Exception {
        AuthenticationManagerBuilder builder = new AuthenticationManagerBuilder(new ObjectPostProcessor<>() {
            @Override
            public <T> T postProcess(T object) {
                return object;
            }
        });
        new LatchkeyNacosAutoConfiguration().latchkeyNoOtherLogin().init(builder);
        AuthenticationManager manager = builder.build();

        assertThat(manager).isNotNull();
        assertThatExceptionOfType(BadCredentialsException.class)
                .isThrownBy(() ->
                        manager.authenticate(UsernamePasswordAuthenticationToken.unauthenticated("nacos", "right")));
    }
}
