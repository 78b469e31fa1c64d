package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.password.CompromisedPasswordChecker;
import org.springframework.security.authentication.password.CompromisedPasswordDecision;
import org.springframework.security.authentication.password.CompromisedPasswordException;
import org.springframework.security.authentication.password.ReactiveCompromisedPasswordChecker;
import org.springframework.security.core.Authentication;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import reactor.core.publisher.Mono;

/** A service's check for compromised passwords covers each way in by an account of the service, whichever plugins it has. */
class CompromisedPasswordsTest {

    private static final Authentication ALICE =
            UsernamePasswordAuthenticationToken.unauthenticated("alice", Services.PASSWORD);

    private volatile boolean isCompromised = true;
    private volatile boolean isDown;

    private CompromisedPasswordDecision decision(String password) {
        if (isDown) {
            throw new BadCredentialsException("Simulated: the list of passwords rejects the service");
        }
        return new CompromisedPasswordDecision(isCompromised && password.equals(Services.PASSWORD));
    }

    private <S extends AbstractApplicationContextRunner<S, ?, ?>> S with(S service, boolean hasADirectory) {
        S basic = service.withPropertyValues(
                "latchkey.login.enabled=true",
                "latchkey.jwt.secret=" + Services.KEY,
                "spring.security.user.name=alice",
                "spring.security.user.password=" + Services.HASH);
        return hasADirectory ? basic.withBean("directory", AuthPlugin.class, Directory::new) : basic;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void servlets(boolean hasADirectory) {
        with(Services.web().withBean(Services.Hello.class), hasADirectory)
                .withBean(CompromisedPasswordChecker.class, () -> this::decision)
                .run(context -> {
                    assertThat(mvc(
                                    context,
                                    get("/hello")
                                            .header(
                                                    HttpHeaders.AUTHORIZATION,
                                                    ReactiveServices.basic("alice", Services.PASSWORD))))
                            .isEqualTo(401);
                    assertThat(mvc(context, token())).isEqualTo(401);
                    AuthenticationProvider chain =
                            context.getBean(LatchkeyPasswords.class).provider();
                    assertThatThrownBy(() -> chain.authenticate(ALICE))
                            .isInstanceOf(CompromisedPasswordException.class);
                    isDown = true;
                    assertThat(mvc(context, token())).isEqualTo(503);
                    assertThatThrownBy(() -> chain.authenticate(ALICE))
                            .isInstanceOf(AuthUnavailableException.class)
                            .hasNoCause();
                    isDown = false;
                    isCompromised = false;
                    assertThat(mvc(context, token())).isEqualTo(200);
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void webFlux(boolean hasADirectory) {
        with(ReactiveServices.web().withBean(ReactiveServices.Hello.class), hasADirectory)
                .withBean(ReactiveCompromisedPasswordChecker.class, () -> password -> Mono.just(decision(password)))
                .run(context -> {
                    assertThat(hello(context)).isEqualTo(401);
                    assertThat(login(context)).isEqualTo(401);
                    ReactiveAuthenticationManager chain =
                            context.getBean(ReactiveLatchkeyPasswords.class).manager();
                    assertThatThrownBy(() -> chain.authenticate(ALICE).block())
                            .isInstanceOf(CompromisedPasswordException.class);
                    isDown = true;
                    assertThat(login(context)).isEqualTo(503);
                    isDown = false;
                    isCompromised = false;
                    assertThat(hello(context)).isEqualTo(200);
                    assertThat(login(context)).isEqualTo(200);
                });
    }

    private static MockHttpServletRequestBuilder token() {
        return post("/auth/token").contentType(MediaType.APPLICATION_JSON).content(Services.LOGIN);
    }

    private static int mvc(ApplicationContext context, MockHttpServletRequestBuilder request) throws Exception {
        return Services.mvc(context).perform(request).andReturn().getResponse().getStatus();
    }

    private static int hello(ApplicationContext context) {
        return ReactiveServices.client(context)
                .get()
                .uri("/hello")
                .headers(headers -> headers.setBasicAuth("alice", Services.PASSWORD))
                .exchange()
                .expectBody()
                .returnResult()
                .getStatus()
                .value();
    }

    private static int login(ApplicationContext context) {
        return ReactiveServices.client(context)
                .post()
                .uri("/auth/token")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(Services.LOGIN)
                .exchange()
                .expectBody()
                .returnResult()
                .getStatus()
                .value();
    }
}
