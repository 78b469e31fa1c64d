package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import reactor.core.publisher.Mono;

/** The log at the start: each found encoder and chain, and the effect. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class StartLogTest {

    /** What Spring warns of, each time that something is injected into a post-processor. */
    private static final String MADE_TOO_EARLY = "is not eligible for getting processed";

    @Test
    void service_isToldWhatWasFound(CapturedOutput output) {
        start(Services.web().withUserConfiguration(Services.Accounts.class));
        assertThat(output)
                .contains("Password encoder 'passwordEncoder' (BCryptPasswordEncoder) is behind the credential cache")
                .doesNotContain("Boot's default one takes bearer tokens", MADE_TOO_EARLY);
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
        start(Services.web()
                .withPropertyValues("latchkey.store=memory")
                .withBean("encoder", PasswordEncoder.class, () -> new BCryptPasswordEncoder(4)));
        assertThat(output).contains("behind the credential cache").doesNotContain("plugin");
    }

    @Test
    void managerThatCannotBeLimited_isNamed(CapturedOutput output) {
        start(Services.web().withBean("closed", FinalManager.class, FinalManager::new));
        assertThat(output)
                .contains(
                        "Login limits and second steps do not hold for 'closed': declare the bean as AuthenticationManager")
                .contains(FinalManager.class.getName());
    }

    @Test
    void webFluxManagerThatCannotBeLimited_isNamed(CapturedOutput output) {
        start(ReactiveServices.web().withBean("closed", FinalReactiveManager.class, FinalReactiveManager::new));
        assertThat(output)
                .contains(
                        "Login limits and second steps do not hold for 'closed': declare the bean as ReactiveAuthenticationManager")
                .contains(FinalReactiveManager.class.getName());
    }

    @Test
    void serviceWithAKey_isToldThatItTakesTokens(CapturedOutput output) {
        start(Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY));
        assertThat(output)
                .contains("Boot's default one takes bearer tokens and plugins", "Auth plugins, in order: [users, jwt]")
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
        start(ReactiveServices.web().withPropertyValues("spring.security.user.name=alice"));
        assertThat(output)
                .contains("WebFlux logins are behind the credential cache")
                .doesNotContain(MADE_TOO_EARLY);
    }

    @Test
    void webFluxServiceWithoutTheCache_isToldSo(CapturedOutput output) {
        start(ReactiveServices.web()
                .withPropertyValues("spring.security.user.name=alice", "latchkey.cache.enabled=false"));
        assertThat(output).contains("WebFlux logins are not cached");
    }

    private static <C extends ApplicationContextAssertProvider<?>> void start(
            AbstractApplicationContextRunner<?, ?, C> service) {
        service.run(context -> assertThat(context.getStartupFailure()).isNull());
    }

    private static final class FinalManager implements AuthenticationManager {

        @Override
        public Authentication authenticate(Authentication authentication) {
            throw new BadCredentialsException("Nobody");
        }
    }

    private static final class FinalReactiveManager implements ReactiveAuthenticationManager {

        @Override
        public Mono<Authentication> authenticate(Authentication authentication) {
            return Mono.error(new BadCredentialsException("Nobody"));
        }
    }
}
