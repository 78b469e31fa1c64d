package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.NullSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextHolderFilter;

/** What the log says at the start: each encoder and each chain that was found, and what became of it. */
@ExtendWith(OutputCaptureExtension.class)
class StartLogTest {

    @Test
    void service_isToldWhatWasFound(CapturedOutput output) {
        start(Services.web().withUserConfiguration(Services.Accounts.class));
        assertThat(output)
                .contains(
                        "Password encoder 'passwordEncoder' (BCryptPasswordEncoder) is behind the credential cache",
                        "A DaoAuthenticationProvider hashes behind the guard",
                        "Logins of filter chain 'defaultSecurityFilterChain' pass the guard:"
                                + " [UsernamePasswordAuthenticationFilter, BasicAuthenticationFilter]")
                .doesNotContain("Boot's default one takes bearer tokens");
    }

    @Test
    void serviceWithoutAnEncoder_isToldAboutTheOneInside(CapturedOutput output) {
        start(Services.web().withPropertyValues("spring.security.user.name=alice"));
        assertThat(output)
                .contains("The encoder of a DaoAuthenticationProvider (DelegatingPasswordEncoder) is behind the"
                        + " credential cache")
                .doesNotContain("refuse");
    }

    @Test
    void serviceWithoutPlugins_isNotToldAboutPlugins(CapturedOutput output) {
        start(Services.web());
        assertThat(output).contains("pass the guard").doesNotContain("plugin");
    }

    @Test
    void chainThatTakesNoPasswords_isNotNamed(CapturedOutput output) {
        start(Services.web()
                .withBean(
                        SecurityFilterChain.class,
                        () -> new DefaultSecurityFilterChain(
                                request -> true,
                                new SecurityContextHolderFilter(new NullSecurityContextRepository()))));
        assertThat(output).doesNotContain("pass the guard", "cannot be changed");
    }

    @Test
    void serviceWithAKey_isToldThatItTakesTokens(CapturedOutput output) {
        start(Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY));
        assertThat(output)
                .contains("Boot's default one takes bearer tokens and plugins", "Auth plugins, in order: [jwt, users]")
                .doesNotContain(Services.KEY);
    }

    @Test
    void serviceThatIsSwitchedOff_isToldNothing(CapturedOutput output) {
        start(Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withPropertyValues("latchkey.enabled=false"));
        assertThat(output).doesNotContain("dev.latchkey");
    }

    @Test
    void webFluxService_isToldAboutItsLogins(CapturedOutput output) {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        ReactiveSecurityAutoConfiguration.class,
                        ReactiveUserDetailsServiceAutoConfiguration.class,
                        LatchkeyAutoConfiguration.class,
                        LatchkeyCacheAutoConfiguration.class,
                        LatchkeyGuardAutoConfiguration.class,
                        LatchkeyReactiveAutoConfiguration.class))
                .withPropertyValues("spring.security.user.name=alice")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("WebFlux logins (DelegatingPasswordEncoder) are behind the credential cache");
    }

    private static void start(WebApplicationContextRunner service) {
        service.run(context -> assertThat(context).hasNotFailed());
    }
}
