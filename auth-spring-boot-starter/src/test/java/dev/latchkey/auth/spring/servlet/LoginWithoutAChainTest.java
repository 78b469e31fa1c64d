package dev.latchkey.auth.spring.servlet;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** The login is switched on: whether any chain has it. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class LoginWithoutAChainTest {

    private static final String WARNING = "no filter chain has the login endpoints";

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true");

    @Test
    void loginThatNoChainHas_isOneWarning_withTheLineToWrite(CapturedOutput log) {
        service.withUserConfiguration(Basic.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log.getAll().split(WARNING, -1)).hasSize(2);
        assertThat(log).contains("WARN", "http.with(LatchkeyHttpConfigurer.latchkey(), Customizer.withDefaults())");
    }

    @Test
    void loginOfBootsChainOrOfOneAmongTwo_isNoWarning(CapturedOutput log) {
        service.run(context -> assertThat(context).hasNotFailed());
        service.withUserConfiguration(Basic.class, WithLogin.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).doesNotContain(WARNING);
    }

    @Test
    void loginThatIsOff_isNoWarning(CapturedOutput log) {
        service.withUserConfiguration(Basic.class)
                .withPropertyValues("latchkey.login.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log).doesNotContain(WARNING);
    }

    @Configuration(proxyBeanMethods = false)
    static class Basic {

        @Bean
        SecurityFilterChain basicChain(HttpSecurity http) throws Exception {
            return http.securityMatcher("/basic/**").httpBasic(withDefaults()).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithLogin {

        @Bean
        SecurityFilterChain loginChain(HttpSecurity http) throws Exception {
            return http.with(latchkey(), withDefaults()).build();
        }
    }
}
