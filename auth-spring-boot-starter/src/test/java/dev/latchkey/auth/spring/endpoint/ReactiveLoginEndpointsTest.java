package dev.latchkey.auth.spring.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.EndpointTranscript;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.http.EndpointPlay;
import dev.latchkey.auth.spring.metrics.LatchkeyMetricsAutoConfiguration;
import dev.latchkey.auth.spring.metrics.LoginService;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Login, refresh, revocation and logout as a client meets them in a WebFlux service: what servlet services answer. */
public class ReactiveLoginEndpointsTest {

    private final ReactiveWebApplicationContextRunner service = ReactiveServices.web()
            .withConfiguration(
                    AutoConfigurations.of(LatchkeyMetricsAutoConfiguration.class, LatchkeyAutoConfiguration.class))
            .withUserConfiguration(LoginService.class, Accounts.class, OwnChain.class)
            .withPropertyValues(
                    "latchkey.jwt.secret=" + Services.KEY,
                    "latchkey.login.enabled=true",
                    "latchkey.login.refresh.enabled=true");

    @ParameterizedTest
    @MethodSource("dev.latchkey.auth.spring.EndpointTranscript#sections")
    void transcript(EndpointTranscript transcript) {
        service.withPropertyValues(transcript.properties()).run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            EndpointPlay.play(
                    transcript, request -> send(client, request), context.getBean(LoginService.Observed.class));
        });
    }

    @Test
    void withoutAGuard_loginsAreAnsweredTheSame() {
        service.withPropertyValues("latchkey.guard.enabled=false").run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            for (String[] login : new String[][] {{Services.PASSWORD, "200"}, {"wrong", "401"}}) {
                client.post()
                        .uri("/auth/token")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .bodyValue("username=alice&password=" + login[0])
                        .exchange()
                        .expectStatus()
                        .isEqualTo(Integer.parseInt(login[1]));
            }
        });
    }

    @Test
    void endpoints_areThereWhereTheyAreAskedForOnly() {
        service.withPropertyValues("latchkey.login.refresh.enabled=false")
                .run(context -> assertThat(context).hasSingleBean(TokenEndpoint.class));
        service.withPropertyValues("latchkey.login.enabled=false", "latchkey.login.refresh.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(AuthEndpoint.class));
    }

    /** The exception of a client that left would be an error in the log. */
    @Test
    void bodyThatEndsTooEarly_isAMistakeOfTheRequest() {
        service.run(context -> {
            HttpHandler server =
                    WebHttpHandlerBuilder.applicationContext(context).build();
            for (String path : List.of("/auth/token", "/auth/revoke")) {
                MockServerHttpRequest request = MockServerHttpRequest.post(path)
                        .contentType(MediaType.APPLICATION_JSON)
                        .body(Flux.error(new IllegalStateException("Connection has been closed")));
                MockServerHttpResponse response = new MockServerHttpResponse();
                server.handle(request, response).block();
                assertThat(response.getStatusCode()).isEqualTo(HttpStatus.BAD_REQUEST);
                assertThat(response.getBodyAsString().block()).contains("The request is not in the form");
            }
        });
    }

    private static EndpointPlay.Reply send(WebTestClient client, EndpointPlay.Request request) {
        WebTestClient.RequestBodySpec spec =
                client.method(HttpMethod.valueOf(request.method())).uri(URI.create(request.uri()));
        // As they are written: the typed setter refuses what is no media type.
        request.headers().forEach(header -> spec.header(header.getKey(), header.getValue()));
        byte[] body = request.body();
        EntityExchangeResult<byte[]> answer = (body.length == 0
                        ? spec
                        : spec.body((message, context) -> message.writeWith(
                                Mono.fromSupplier(() -> message.bufferFactory().wrap(body)))))
                .exchange()
                .expectBody()
                .returnResult();
        Map<String, List<String>> headers = new HashMap<>();
        answer.getResponseHeaders().forEach(headers::put);
        byte[] given = answer.getResponseBody();
        return new EndpointPlay.Reply(
                answer.getStatus().value(), headers, given == null ? "" : new String(given, StandardCharsets.UTF_8));
    }

    @Configuration(proxyBeanMethods = false)
    public static class Accounts {

        @Bean
        ReactiveUserDetailsService accounts(LoginService.Observed service) {
            return name -> Mono.fromCallable(() -> service.account(name));
        }
    }

    @Configuration(proxyBeanMethods = false)
    public static class OwnChain {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .build();
        }
    }
}
