package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import io.rsocket.core.RSocketServer;
import io.rsocket.transport.local.LocalClientTransport;
import io.rsocket.transport.local.LocalServerTransport;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.rsocket.RSocketRequester;
import org.springframework.messaging.rsocket.annotation.support.RSocketMessageHandler;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UserDetailsRepositoryReactiveAuthenticationManager;
import org.springframework.security.config.annotation.rsocket.EnableRSocketSecurity;
import org.springframework.security.config.annotation.rsocket.RSocketSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.rsocket.core.PayloadSocketAcceptorInterceptor;
import org.springframework.security.rsocket.metadata.SimpleAuthenticationEncoder;
import org.springframework.security.rsocket.metadata.UsernamePasswordMetadata;
import org.springframework.stereotype.Controller;
import org.springframework.util.MimeType;
import reactor.core.Disposable;

/** RSocket logins of Spring Security's own manager, and of a manager bean. */
class RSocketLoginsTest {

    /** A login by RSocket has no client. */
    private static final int MORE_THAN_AN_ACCOUNT_HAS = 150;

    private static final MimeType AUTHENTICATION = MimeType.valueOf("message/x.rsocket.authentication.v0");

    private final ReactiveWebApplicationContextRunner service =
            ReactiveServices.web().withUserConfiguration(Accounts.class, Sockets.class);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void guesses_areLimited(boolean isBean) {
        service(isBean)
                .run(context -> assertThat(IntStream.range(0, MORE_THAN_AN_ACCOUNT_HAS)
                                .mapToObj(i -> catchThrowable(() -> hello(context, "wrong" + i)))
                                .map(Throwable::getMessage))
                        .contains("Invalid Credentials", "Too many logins have failed"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void secondStep_isWanted(boolean isBean) {
        service(isBean)
                .run(context -> assertThat(hello(context, Services.PASSWORD)).isEqualTo("hello"));
        service(isBean)
                .withBean("step", AuthPlugin.class, StepOfAlice::new)
                .run(context -> assertThatThrownBy(() -> hello(context, Services.PASSWORD))
                        .hasMessageContaining("step"));
    }

    @Test
    void serviceWithoutAccounts_starts() {
        ReactiveServices.web()
                .withUserConfiguration(Sockets.class)
                .withPropertyValues("latchkey.plugins=")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private ReactiveWebApplicationContextRunner service(boolean isBean) {
        return isBean ? service.withUserConfiguration(ManagerBean.class) : service;
    }

    private static String hello(ApplicationContext context, String password) {
        String name = UUID.randomUUID().toString();
        Disposable server = RSocketServer.create(
                        context.getBean(RSocketMessageHandler.class).responder())
                .interceptors(
                        registry -> registry.forSocketAcceptor(context.getBean(PayloadSocketAcceptorInterceptor.class)))
                .bindNow(LocalServerTransport.create(name));
        RSocketRequester client = RSocketRequester.builder()
                .rsocketStrategies(strategies -> strategies.encoder(new SimpleAuthenticationEncoder()))
                .transport(LocalClientTransport.create(name));
        try {
            return client.route("hello")
                    .metadata(new UsernamePasswordMetadata("alice", password), AUTHENTICATION)
                    .retrieveMono(String.class)
                    .block(Duration.ofSeconds(30));
        } finally {
            client.dispose();
            server.dispose();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Accounts {

        @Bean
        ReactiveUserDetailsService users() {
            UserDetails alice = User.withUsername("alice")
                    .password("{noop}" + Services.PASSWORD)
                    .roles("USER")
                    .build();
            return new MapReactiveUserDetailsService(alice);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ManagerBean {

        @Bean
        ReactiveAuthenticationManager manager(ReactiveUserDetailsService users) {
            return new UserDetailsRepositoryReactiveAuthenticationManager(users);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableRSocketSecurity
    static class Sockets {

        @Bean
        RSocketMessageHandler messages() {
            return new RSocketMessageHandler();
        }

        @Bean
        PayloadSocketAcceptorInterceptor rsocket(RSocketSecurity rsocket) {
            return rsocket.authorizePayload(payloads ->
                            payloads.setup().permitAll().anyRequest().authenticated())
                    .simpleAuthentication(withDefaults())
                    .build();
        }

        @Bean
        Hello hello() {
            return new Hello();
        }
    }

    @Controller
    static class Hello {

        @MessageMapping("hello")
        String hello() {
            return "hello";
        }
    }
}
