package dev.latchkey.plugins.passkeys.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import jakarta.servlet.Filter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.test.web.servlet.setup.SecurityMockMvcConfigurers;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

/** A client at 192.0.2.1 with JSON bodies. */
interface Client {

    String LOGIN = "{\"username\":\"%s\",\"password\":\"" + Services.PASSWORD + "\"}";

    record Reply(int status, String body) {

        String member(String name) {
            Matcher matcher = Pattern.compile("\"" + name + "\":\"((?:[^\"\\\\]++|\\\\.)*+)\"")
                    .matcher(body);
            assertThat(matcher.find()).as("%s in %s", name, body).isTrue();
            return matcher.group(1);
        }
    }

    /** The answer to a request with these header fields. */
    Reply request(String method, String path, Map<String, String> headers, String json);

    default Reply request(String method, String path, String authorization, String json) {
        return request(method, path, Map.of("Authorization", authorization.isEmpty() ? "None" : authorization), json);
    }

    default Reply send(String method, String path, String token, String json) {
        return request(method, path, token.isEmpty() ? "" : "Bearer " + token, json);
    }

    default Reply login(String name) {
        return send("POST", "/auth/token", "", LOGIN.formatted(name));
    }

    /** The next step, with these fields. */
    default Reply goOn(Reply first, Map<String, Secret> fields) {
        return send("POST", "/auth/token", "", json(Map.of("continuation", first.member("continuation")), fields));
    }

    /** A JSON object of texts that need no escape. */
    static String json(Map<String, String> texts, Map<String, Secret> fields) {
        Map<String, String> all = new TreeMap<>(texts);
        fields.forEach((name, value) -> all.put(name, value.withText(CharSequence::toString)));
        return all.entrySet().stream()
                .map(each -> "\"" + each.getKey() + "\":\"" + each.getValue() + "\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    static Client ofServlets(ApplicationContext context) {
        Filter[] inFront = context.getBeanProvider(FilterRegistrationBean.class)
                .orderedStream()
                .filter(registration -> registration.getOrder() < -100)
                .map(registration -> registration.getFilter())
                .toArray(Filter[]::new);
        MockMvc mvc = MockMvcBuilders.webAppContextSetup((WebApplicationContext) context)
                .addFilters(inFront)
                .apply(SecurityMockMvcConfigurers.springSecurity())
                .build();
        return (method, path, headers, json) -> {
            try {
                MockHttpServletResponse response = mvc.perform(
                                MockMvcRequestBuilders.request(HttpMethod.valueOf(method), path)
                                        .contentType(MediaType.APPLICATION_JSON)
                                        .content(json)
                                        .with(request -> {
                                            headers.forEach(request::addHeader);
                                            request.setRemoteAddr("192.0.2.1");
                                            return request;
                                        }))
                        .andReturn()
                        .getResponse();
                return new Reply(response.getStatus(), response.getContentAsString(StandardCharsets.UTF_8));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        };
    }

    static Client ofWebFlux(ApplicationContext context) {
        WebTestClient client = WebTestClient.bindToApplicationContext(context)
                .webFilter((exchange, chain) -> chain.filter(exchange.mutate()
                        .request(request -> request.remoteAddress(new InetSocketAddress("192.0.2.1", 80)))
                        .build()))
                .build();
        return (method, path, headers, json) -> {
            EntityExchangeResult<String> result = client.method(HttpMethod.valueOf(method))
                    .uri(path)
                    .contentType(MediaType.APPLICATION_JSON)
                    .headers(fields -> headers.forEach(fields::set))
                    .bodyValue(json)
                    .exchange()
                    .expectBody(String.class)
                    .returnResult();
            return new Reply(
                    result.getStatus().value(),
                    Optional.ofNullable(result.getResponseBody()).orElse(""));
        };
    }
}
