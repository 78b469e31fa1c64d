package dev.latchkey.auth.spring.limits;

import static dev.latchkey.auth.spring.ReactiveServices.basic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.InsufficientAuthenticationException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UserDetailsRepositoryReactiveAuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.core.user.DefaultOAuth2User;
import reactor.core.publisher.Mono;

/** As {@link SecondStepsTest}, for WebFlux: no event loop waits for a plugin. */
@Tag("long")
class ReactiveSecondStepsTest {

    /** A source has 60 repeats of wrong passwords in a minute. */
    private static final int MORE_THAN_REPEATS = 150;

    private static final String NO_CHAIN = "latchkey.authentication-manager.enabled=false";
    private static final String NO_GUARD = "latchkey.guard.enabled=false";

    private final StepOfAlice codes = new StepOfAlice();
    private final ReactiveWebApplicationContextRunner service = ReactiveServices.web()
            .withUserConfiguration(Accounts.class)
            .withBean(ReactiveServices.Hello.class)
            .withBean("codes", AuthPlugin.class, () -> codes);

    static Stream<Arguments> ways() {
        return Stream.of(
                Arguments.of(Accounts.class, ""),
                Arguments.of(Accounts.class, NO_CHAIN),
                Arguments.of(Accounts.class, NO_CHAIN + "," + NO_GUARD),
                Arguments.of(Accounts.class, NO_CHAIN + ",latchkey.guard.limits.enabled=false"),
                Arguments.of(ByInterface.class, ""),
                Arguments.of(ByInterface.class, NO_GUARD),
                Arguments.of(ByClass.class, ""),
                Arguments.of(ByClass.class, NO_GUARD),
                Arguments.of(TokensOfItsOwn.class, ""));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void passwordAlone_letsNobodyInOfWhomAStepIsWanted(Class<?> manager, String properties) {
        service.withUserConfiguration(manager)
                .withPropertyValues(properties.isEmpty() ? new String[0] : properties.split(","))
                .run(context -> {
                    assertThat(status(context, "bob")).isEqualTo(200);
                    assertThat(codes.asked).contains("bob").doesNotHaveDuplicates();
                    assertThat(status(context, "alice")).isEqualTo(401);
                    codes.isUp = false;
                    assertThat(status(context, "alice")).isEqualTo(503);
                    assertThat(status(context, "bob")).isEqualTo(503);
                    assertThat(codes.threads).allMatch(thread -> thread.startsWith("latchkey-wait"));
                });
    }

    @ParameterizedTest
    @MethodSource("ways")
    void stepForARole_isWantedOfACallerThatHasTheRole(Class<?> manager, String properties) {
        ReactiveServices.web()
                .withUserConfiguration(Accounts.class, manager)
                .withBean(ReactiveServices.Hello.class)
                .withBean("codes", AuthPlugin.class, StepOfUsers::new)
                .withPropertyValues(properties.isEmpty() ? new String[0] : properties.split(","))
                .run(context -> assertThat(status(context, "bob")).isEqualTo(401));
    }

    @Test
    void rightPasswordThatIsRepeated_isNoNewGuess() {
        service.withUserConfiguration(ByInterface.class).run(context -> {
            for (int i = 0; i < MORE_THAN_REPEATS; i++) {
                assertThat(status(context, "alice")).isEqualTo(401);
            }
        });
    }

    @Test
    void callerThatHasPassedTheStepBefore_needNotPassItTwice() {
        Challenged code = Challenged.by(Authenticated.as(Subject.of("alice")), "otp");
        Authentication login = new TestingAuthenticationToken("alice", null, "ROLE_USER");
        MissingSteps.refuse(List.of(code), login, new TestingAuthenticationToken("alice", null, "FACTOR_OTT"));
        for (Authentication other : new Authentication[] {
            login,
            new TestingAuthenticationToken("bob", null, "FACTOR_OTT"),
            new TestingAuthenticationToken("alice", null, "FACTOR_WEBAUTHN"),
            new OAuth2AuthenticationToken(
                    new DefaultOAuth2User(
                            AuthorityUtils.createAuthorityList("FACTOR_OTT"), Map.of("login", "alice"), "login"),
                    AuthorityUtils.createAuthorityList("FACTOR_OTT"),
                    "hub")
        }) {
            assertThatExceptionOfType(InsufficientAuthenticationException.class)
                    .isThrownBy(() -> MissingSteps.refuse(List.of(code), login, other));
        }
    }

    private static int status(ApplicationContext context, String name) {
        return ReactiveServices.client(context)
                .get()
                .uri("/hello")
                .header("Authorization", basic(name, Services.PASSWORD))
                .exchange()
                .returnResult(String.class)
                .getStatus()
                .value();
    }

    @Configuration(proxyBeanMethods = false)
    static class Accounts {

        /** No store that Spring Security could write a dearer hash to. */
        @Bean
        ReactiveUserDetailsService users() {
            ReactiveUserDetailsService store = new MapReactiveUserDetailsService(user("alice"), user("bob"));
            return name -> store.findByUsername(name);
        }

        private static UserDetails user(String name) {
            return User.withUsername(name).password(Services.HASH).roles("USER").build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByInterface {

        @Bean
        ReactiveAuthenticationManager manager(ReactiveUserDetailsService users) {
            return new UserDetailsRepositoryReactiveAuthenticationManager(users);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByClass {

        @Bean
        UserDetailsRepositoryReactiveAuthenticationManager manager(ReactiveUserDetailsService users) {
            return new UserDetailsRepositoryReactiveAuthenticationManager(users);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TokensOfItsOwn {

        @Bean
        ReactiveAuthenticationManager manager() {
            return request -> Mono.just(new TestingAuthenticationToken(request.getName(), null, "ROLE_USER"));
        }
    }
}
