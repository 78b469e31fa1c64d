package dev.latchkey.auth.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.login.StepServicesOfTests;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.reactive.InMemoryReactiveOneTimeTokenService;
import org.springframework.security.authentication.ott.reactive.ReactiveOneTimeTokenService;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.BodyInserters;
import reactor.core.publisher.Mono;

/** A one-time token on WebFlux that is answered with tokens. */
class ReactiveIssueAfterTest {

    @Test
    void oneTimeToken_isAnsweredWithTokens() {
        ReactiveServices.web()
                .withBean(ReactiveServices.Hello.class)
                .withUserConfiguration(OneTimeTokens.class)
                .withPropertyValues(
                        "latchkey.jwt.secret=" + Services.KEY,
                        "latchkey.login.enabled=true",
                        "latchkey.login.refresh.enabled=true")
                .run(context -> {
                    WebTestClient client = ReactiveServices.client(context);
                    String one = context.getBean(ReactiveOneTimeTokenService.class)
                            .generate(new GenerateOneTimeTokenRequest("alice"))
                            .block()
                            .getTokenValue();
                    String body = client.post()
                            .uri("/login/ott")
                            .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                            .body(BodyInserters.fromFormData("token", one))
                            .exchange()
                            .expectStatus()
                            .isOk()
                            .expectBody(String.class)
                            .returnResult()
                            .getResponseBody();
                    assertThat(body).contains("\"refresh_token\"");
                    client.get()
                            .uri("/hello")
                            .headers(headers -> headers.setBearerAuth(Services.tokenFrom(body)))
                            .exchange()
                            .expectBody(String.class)
                            .isEqualTo("Hello alice");
                });
    }

    /** Spring Security saves the login before the handler asks for the second step. */
    @Test
    void loginInAChainWithSessions_isInNoSession_beforeTheSecondStep() {
        ReactiveServices.web()
                .withBean(ReactiveServices.Hello.class)
                .withUserConfiguration(WithSessions.class)
                .withBean("codes", AuthPlugin.class, StepServicesOfTests::step)
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                .run(context -> {
                    WebTestClient client = ReactiveServices.client(context);
                    String one = context.getBean(ReactiveOneTimeTokenService.class)
                            .generate(new GenerateOneTimeTokenRequest("alice"))
                            .block()
                            .getTokenValue();
                    ResponseCookie session = client.post()
                            .uri("/login/ott")
                            .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                            .body(BodyInserters.fromFormData("token", one))
                            .exchange()
                            .expectStatus()
                            .isUnauthorized()
                            .returnResult(String.class)
                            .getResponseCookies()
                            .getFirst("SESSION");
                    client.get()
                            .uri("/hello")
                            .cookie("SESSION", session == null ? "none" : session.getValue())
                            .exchange()
                            .expectStatus()
                            .is3xxRedirection();
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class WithSessions {

        @Bean
        MapReactiveUserDetailsService accounts() {
            return new OneTimeTokens().accounts();
        }

        @Bean
        ReactiveOneTimeTokenService oneTimeTokens() {
            return new InMemoryReactiveOneTimeTokenService();
        }

        @Bean
        SecurityWebFilterChain chain(
                ServerHttpSecurity http, LatchkeyWebFlux latchkey, ReactiveTokensAfterLogin tokens) {
            return latchkey.addTo(http)
                    .csrf(csrf -> csrf.disable())
                    .formLogin(withDefaults())
                    .oneTimeTokenLogin(login -> login.authenticationSuccessHandler(tokens)
                            .tokenGenerationSuccessHandler((exchange, token) -> Mono.empty()))
                    .authorizeExchange(rules -> rules.anyExchange().authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneTimeTokens {

        @Bean
        MapReactiveUserDetailsService accounts() {
            return new MapReactiveUserDetailsService(User.withUsername("alice")
                    .password("{noop}secret")
                    .authorities("ROLE_USER")
                    .build());
        }

        @Bean
        ReactiveOneTimeTokenService oneTimeTokens() {
            return new InMemoryReactiveOneTimeTokenService();
        }

        @Bean
        SecurityWebFilterChain chain(
                ServerHttpSecurity http, LatchkeyWebFlux latchkey, ReactiveTokensAfterLogin tokens) {
            return latchkey.addTo(http)
                    .csrf(csrf -> csrf.disable())
                    .formLogin(withDefaults())
                    .oneTimeTokenLogin(login -> login.authenticationSuccessHandler(tokens)
                            .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                            .tokenGenerationSuccessHandler((exchange, token) -> Mono.empty()))
                    .authorizeExchange(rules -> rules.anyExchange().authenticated())
                    .build();
        }
    }
}
