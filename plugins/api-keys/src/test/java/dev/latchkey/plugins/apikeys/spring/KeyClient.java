package dev.latchkey.plugins.apikeys.spring;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.test.web.servlet.setup.SecurityMockMvcConfigurers;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import reactor.core.publisher.Mono;

/** A client that sends JSON from an address. */
interface KeyClient {

    String LOGIN = "{\"username\":\"%s\",\"password\":\"" + Services.PASSWORD + "\"}";
    String OWN_ADDRESS = "192.0.2.1";

    record Reply(int status, HttpHeaders headers, String body) {

        String member(String name) {
            Matcher matcher = Pattern.compile("\"" + name + "\":\"((?:[^\"\\\\]++|\\\\.)*+)\"")
                    .matcher(body);
            assertThat(matcher.find()).as("%s in %s", name, body).isTrue();
            return matcher.group(1);
        }
    }

    /** Sends this from an address, with header fields: names and values in turn. */
    Reply request(String address, String method, String path, String json, String... fields);

    default Reply send(String method, String path, String json, String... fields) {
        return request(OWN_ADDRESS, method, path, json, fields);
    }

    /** The access token of a login. */
    default String token(String name) {
        Reply login = send("POST", "/auth/token", LOGIN.formatted(name));
        assertThat(login.status()).isEqualTo(200);
        return "Bearer " + login.member("access_token");
    }

    /** Issues a key to the bearer of this token. */
    default Reply issue(String token, String members) {
        return send(
                "POST",
                "/auth/api-keys",
                "{\"password\":\"" + Services.PASSWORD + "\"," + members + "}",
                "Authorization",
                token);
    }

    default String key(String name, String... scopes) {
        Reply issued = issue(
                token(name),
                "\"name\":\"ci\",\"scopes\":["
                        + String.join(
                                ",",
                                List.of(scopes).stream().map(s -> '"' + s + '"').toList()) + "]");
        assertThat(issued.status()).as(issued.body()).isEqualTo(201);
        return issued.member("key");
    }

    default Reply hello(String... fields) {
        return send("GET", "/hello", "", fields);
    }

    @RestController
    class Hello {

        @GetMapping("/hello")
        String hello(Principal user) {
            return "Hello " + user.getName();
        }

        @PostMapping("/hello")
        String post(Principal user) {
            return "Hello " + user.getName();
        }

        @GetMapping("/orders")
        String orders() {
            return "orders";
        }
    }

    @RestController
    class ReactiveHello {

        @GetMapping("/hello")
        Mono<String> hello(Principal user) {
            return Mono.just("Hello " + user.getName());
        }

        @PostMapping("/hello")
        Mono<String> post(Principal user) {
            return Mono.just("Hello " + user.getName());
        }

        @GetMapping("/orders")
        Mono<String> orders() {
            return Mono.just("orders");
        }
    }

    private static HttpHeaders headers(String... fields) {
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_JSON);
        for (int i = 0; i < fields.length; i += 2) {
            headers.add(fields[i], fields[i + 1]);
        }
        return headers;
    }

    static KeyClient ofServlets(ApplicationContext context) {
        Filter[] inFront = context.getBeanProvider(FilterRegistrationBean.class)
                .orderedStream()
                .filter(registration -> registration.getOrder() < -100)
                .map(registration -> registration.getFilter())
                .toArray(Filter[]::new);
        MockMvc mvc = MockMvcBuilders.webAppContextSetup((WebApplicationContext) context)
                .addFilters(inFront)
                .apply(SecurityMockMvcConfigurers.springSecurity())
                .build();
        return (address, method, path, json, fields) -> {
            try {
                MockHttpServletResponse response = mvc.perform(
                                MockMvcRequestBuilders.request(HttpMethod.valueOf(method), path)
                                        .headers(headers(fields))
                                        .content(json)
                                        .with(request -> {
                                            request.setRemoteAddr(address);
                                            return request;
                                        }))
                        .andReturn()
                        .getResponse();
                HttpHeaders answered = new HttpHeaders();
                response.getHeaderNames()
                        .forEach(name -> response.getHeaders(name).forEach(value -> answered.add(name, value)));
                return new Reply(response.getStatus(), answered, response.getContentAsString(StandardCharsets.UTF_8));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        };
    }

    static KeyClient ofWebFlux(ApplicationContext context) {
        Map<String, WebTestClient> clients = new ConcurrentHashMap<>();
        return (address, method, path, json, fields) -> {
            EntityExchangeResult<String> result = clients.computeIfAbsent(address, from -> webFluxFrom(from, context))
                    .method(HttpMethod.valueOf(method))
                    .uri(path)
                    .headers(all -> all.addAll(headers(fields)))
                    .bodyValue(json)
                    .exchange()
                    .expectBody(String.class)
                    .returnResult();
            return new Reply(
                    result.getStatus().value(),
                    result.getResponseHeaders(),
                    Optional.ofNullable(result.getResponseBody()).orElse(""));
        };
    }

    private static WebTestClient webFluxFrom(String address, ApplicationContext context) {
        return WebTestClient.bindToApplicationContext(context)
                .webFilter((exchange, chain) -> chain.filter(exchange.mutate()
                        .request(request -> request.remoteAddress(new InetSocketAddress(address, 80)))
                        .build()))
                .build();
    }
}
