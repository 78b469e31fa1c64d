package dev.latchkey.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.login.TokenRevocation;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.converter.StringMessageConverter;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaders;
import org.springframework.messaging.simp.stomp.StompSession;
import org.springframework.messaging.simp.stomp.StompSessionHandlerAdapter;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.WebSocketHttpHeaders;
import org.springframework.web.socket.client.standard.StandardWebSocketClient;
import org.springframework.web.socket.messaging.WebSocketStompClient;

/** The interceptor of the guide checks the token of CONNECT, revocations included. */
class StompTest {

    private static final String KEY = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=";

    private static GuidePage page;
    private static ConfigurableApplicationContext service;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        page = GuidePage.compile("messaging.md", folder);
        service = new SpringApplication(Service.class, page.type())
                .run(
                        "--server.port=0",
                        "--spring.main.banner-mode=off",
                        "--latchkey.jwt.secret=" + KEY,
                        "--latchkey.login.enabled=true",
                        "--spring.security.user.name=alice",
                        "--spring.security.user.password={noop}correct-horse-battery");
    }

    @AfterAll
    static void stop() throws IOException {
        service.close();
        page.close();
    }

    @Test
    void goodToken_connects_andNamesTheSubjectOfLaterMessages() throws Exception {
        assertThat(hello(token())).isEqualTo("Hello alice");
    }

    @Test
    void brokenToken_isNotConnected() {
        assertRefused(token() + "x");
    }

    @Test
    void missingToken_isNotConnected() {
        assertRefused(null);
    }

    @Test
    void revokedToken_isNotConnected() throws Exception {
        String token = token();
        assertThat(hello(token)).isEqualTo("Hello alice");
        service.getBean(TokenRevocation.class).revoke(token);
        assertRefused(token);
    }

    private static String token() {
        return service.getBean(JwtSigner.class).sign(JwtClaims.forSubject("alice", Duration.ofMinutes(5)));
    }

    /** The server's ERROR frame, not a time limit of this test. */
    private static void assertRefused(@Nullable String token) {
        assertThatThrownBy(() -> hello(token))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("ERROR");
    }

    private static String hello(@Nullable String token) throws Exception {
        StompHeaders connect = new StompHeaders();
        if (token != null) {
            connect.set("Authorization", "Bearer " + token);
        }
        WebSocketStompClient client = new WebSocketStompClient(new StandardWebSocketClient());
        client.setMessageConverter(new StringMessageConverter());
        CompletableFuture<String> answer = new CompletableFuture<>();
        client.start();
        try {
            // Caller hears of a failure, too.
            CompletableFuture<StompSession> unused = client.connectAsync(
                    "ws://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port") + "/messages",
                    new WebSocketHttpHeaders(),
                    connect,
                    new Caller(answer));
            return answer.get(60, TimeUnit.SECONDS);
        } finally {
            client.stop();
        }
    }

    private static final class Caller extends StompSessionHandlerAdapter {

        private final CompletableFuture<String> answer;

        Caller(CompletableFuture<String> answer) {
            this.answer = answer;
        }

        @Override
        public void afterConnected(StompSession session, StompHeaders connected) {
            session.subscribe("/user/queue/hello", this);
            session.send("/app/hello", "");
        }

        @Override
        public Type getPayloadType(StompHeaders headers) {
            return String.class;
        }

        /** A message of the subscription, or an ERROR frame, which has no subscription. */
        @Override
        public void handleFrame(StompHeaders headers, @Nullable Object payload) {
            if (headers.getSubscription() == null) {
                answer.completeExceptionally(new IllegalStateException("ERROR"));
            } else {
                answer.complete(String.valueOf(payload));
            }
        }

        @Override
        public void handleException(
                StompSession session,
                @Nullable StompCommand command,
                StompHeaders headers,
                byte[] payload,
                Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Greeter.class)
    static class Service {}

    @Controller
    static class Greeter {

        @MessageMapping("/hello")
        @SendToUser(value = "/queue/hello", broadcast = false)
        String hello(Principal caller) {
            return "Hello " + caller.getName();
        }
    }
}
