package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatReactiveWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.context.annotation.Bean;

/** A filter before Spring Security reads the fields of each form, as Spring's filter of hidden methods does. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class ReadFormsTest {

    private static final String FORM = "grant_type=password&username=alice&password=";

    enum Stack {
        SERVLETS_ON_TOMCAT(WebApplicationType.SERVLET),
        WEBFLUX_ON_NETTY(WebApplicationType.REACTIVE),
        WEBFLUX_ON_TOMCAT(WebApplicationType.REACTIVE);

        private final WebApplicationType type;

        Stack(WebApplicationType type) {
            this.type = type;
        }

        GuardServer start() {
            return GuardServer.start(
                    type,
                    Service.class,
                    "--stack=" + this,
                    "--spring.mvc.hiddenmethod.filter.enabled=true",
                    "--spring.webflux.hiddenmethod.filter.enabled=true",
                    "--latchkey.login.enabled=true",
                    "--latchkey.jwt.secret=" + Services.KEY,
                    GuardServer.NO_RESOURCE_SERVER,
                    "--spring.security.user.name=alice",
                    "--spring.security.user.password={noop}p&w=d é+");
        }
    }

    @ParameterizedTest
    @EnumSource
    void form_isRead_andBodiesWithoutFieldsAreRefused(Stack stack) throws Exception {
        try (GuardServer server = stack.start()) {
            assertThat(post(server, "/auth/token", FORM + "p%26w%3Dd+%C3%A9%2B"))
                    .isEqualTo(200);
            assertThat(post(server, "/auth/token", FORM + "wrong")).isEqualTo(400);
            assertThat(post(server, "/auth/revoke", "token=unknown")).isEqualTo(200);
            assertThat(post(server, "/auth/token", "")).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource
    void queryIsNoForm(Stack stack) throws Exception {
        try (GuardServer server = stack.start()) {
            assertThat(post(server, "/auth/token?" + FORM + "p%26w%3Dd+%C3%A9%2B", ""))
                    .isEqualTo(400);
            assertThat(post(server, "/auth/token?password=p%26w%3Dd+%C3%A9%2B", "grant_type=password&username=alice"))
                    .isEqualTo(400);
        }
    }

    /** Tomcat delivers bytes after the end of the reading. */
    @ParameterizedTest
    @EnumSource
    void bodyWithoutALength_thatIsTooLong_is413_andNoErrorOfTheServer(Stack stack, CapturedOutput log)
            throws Exception {
        try (GuardServer server = stack.start()) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://localhost:" + server.port() + "/auth/token"))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[100_000])))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(request, BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(413);
            assertThat(log).doesNotContain("onErrorDropped", "IndexOutOfBoundsException");
        }
    }

    private static int post(GuardServer server, String path, String form) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        @Bean
        @ConditionalOnProperty(name = "stack", havingValue = "SERVLETS_ON_TOMCAT")
        TomcatServletWebServerFactory tomcat() {
            return new TomcatServletWebServerFactory(0);
        }

        @Bean
        @ConditionalOnProperty(name = "stack", havingValue = "WEBFLUX_ON_NETTY")
        NettyReactiveWebServerFactory netty() {
            return new NettyReactiveWebServerFactory(0);
        }

        @Bean
        @ConditionalOnProperty(name = "stack", havingValue = "WEBFLUX_ON_TOMCAT")
        TomcatReactiveWebServerFactory reactiveTomcat() {
            return new TomcatReactiveWebServerFactory(0);
        }
    }
}
