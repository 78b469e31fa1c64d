package dev.latchkey.auth.spring.pairs;

import dev.latchkey.auth.spring.Services;
import jakarta.servlet.http.Cookie;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.web.context.WebApplicationContext;

/** Sends requests to a service of either stack. */
@FunctionalInterface
interface Client {

    String FROM = "X-Test-Address";

    /** A request. {@code body} is JSON where it begins with a brace, and a form otherwise. */
    record Ask(String method, String path, Map<String, String> headers, String body, String from) {

        String contentType() {
            return body.startsWith("{") ? "application/json" : "application/x-www-form-urlencoded";
        }
    }

    /** An answer. */
    record Reply(int status, HttpHeaders headers, String body) {

        private static final Pattern SCHEME = Pattern.compile("(?:^|, )([A-Za-z]+)(?= |$)");

        Optional<String> member(String name) {
            Matcher matcher = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(body);
            return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
        }

        /** The status, and the difference from other answers of this status. */
        String shown() {
            List<String> parts = new ArrayList<>(List.of(Integer.toString(status)));
            member("type")
                    .filter(type -> type.startsWith("tag:"))
                    .ifPresent(type -> parts.add(type.substring(type.indexOf(':', 4) + 1)));
            member("method").ifPresent(parts::add);
            member("error").ifPresent(parts::add);
            if (status == 302) {
                URI to = URI.create(String.valueOf(headers.getFirst("Location")));
                parts.add(to.getPath() + (to.getQuery() == null ? "" : "?" + to.getQuery()));
            }
            if (parts.size() == 1 && status == 401) {
                headers.getOrEmpty("WWW-Authenticate").stream()
                        .flatMap(field -> SCHEME.matcher(field).results())
                        .forEach(scheme -> parts.add(scheme.group(1)));
            }
            if (headers.getFirst("Retry-After") != null) {
                parts.add("Retry-After");
            }
            return String.join(" ", parts);
        }

        /** The cookies that the answer sets, as a request brings them. */
        Optional<String> cookies() {
            String cookies = headers.getOrEmpty("Set-Cookie").stream()
                    .filter(cookie -> !cookie.contains("Max-Age=0"))
                    .map(cookie -> cookie.split(";", 2)[0])
                    .collect(Collectors.joining("; "));
            return Optional.of(cookies).filter(text -> !text.isEmpty());
        }
    }

    Reply send(Ask ask) throws Exception;

    static Client of(ApplicationContext context) {
        return context instanceof WebApplicationContext ? servlet(Services.mvc(context)) : webFlux(context);
    }

    private static Client servlet(MockMvc mvc) {
        Map<String, MockHttpSession> sessions = new ConcurrentHashMap<>();
        return ask -> {
            MockHttpServletRequestBuilder request =
                    MockMvcRequestBuilders.request(HttpMethod.valueOf(ask.method()), URI.create(ask.path()));
            request.with(sent -> {
                sent.setRemoteAddr(ask.from());
                return sent;
            });
            ask.headers().forEach((name, value) -> {
                if (!name.equals("Cookie")) {
                    request.header(name, value);
                }
            });
            cookiesOf(ask).forEach((name, value) -> addCookie(request, name, value, sessions));
            if (!ask.body().isEmpty()) {
                request.contentType(ask.contentType()).content(ask.body());
            }
            MvcResult result = mvc.perform(request).andReturn();
            if (result.getRequest().isAsyncStarted()) {
                result = mvc.perform(MockMvcRequestBuilders.asyncDispatch(result))
                        .andReturn();
            }
            return replyOf(result, sessions);
        };
    }

    private static Map<String, String> cookiesOf(Ask ask) {
        return ask.headers().containsKey("Cookie")
                ? Arrays.stream(ask.headers().get("Cookie").split("; ", -1))
                        .map(cookie -> cookie.split("=", 2))
                        .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]))
                : Map.of();
    }

    private static void addCookie(
            MockHttpServletRequestBuilder request, String name, String value, Map<String, MockHttpSession> sessions) {
        if (!name.equals("JSESSIONID")) {
            request.cookie(new Cookie(name, value));
            return;
        }
        MockHttpSession session = sessions.get(value);
        if (session != null && !session.isInvalid()) {
            request.session(session);
        }
    }

    private static Reply replyOf(MvcResult result, Map<String, MockHttpSession> sessions) throws Exception {
        MockHttpServletResponse response = result.getResponse();
        HttpHeaders headers = new HttpHeaders();
        response.getHeaderNames().forEach(name -> response.getHeaders(name).forEach(value -> headers.add(name, value)));
        if (result.getRequest().getSession(false) instanceof MockHttpSession session) {
            sessions.put(session.getId(), session);
            headers.add("Set-Cookie", "JSESSIONID=" + session.getId());
        }
        return new Reply(response.getStatus(), headers, response.getContentAsString());
    }

    private static Client webFlux(ApplicationContext context) {
        WebTestClient client = WebTestClient.bindToApplicationContext(context)
                .webFilter((exchange, chain) -> chain.filter(exchange.mutate()
                        .request(request -> request.remoteAddress(new InetSocketAddress(
                                String.valueOf(
                                        exchange.getRequest().getHeaders().getFirst(FROM)),
                                80)))
                        .build()))
                .configureClient()
                .responseTimeout(Duration.ofSeconds(30))
                .build();
        return ask -> {
            WebTestClient.RequestBodySpec request = client.method(HttpMethod.valueOf(ask.method()))
                    .uri(URI.create(ask.path()))
                    .header(FROM, ask.from())
                    .headers(all -> ask.headers().entrySet().stream()
                            .filter(field -> !field.getKey().equals("Cookie"))
                            .forEach(field -> all.add(field.getKey(), field.getValue())))
                    .cookies(all -> cookiesOf(ask).forEach(all::add));
            if (!ask.body().isEmpty()) {
                request.header("Content-Type", ask.contentType()).bodyValue(ask.body());
            }
            var answer = request.exchange().expectBody(String.class).returnResult();
            return new Reply(
                    answer.getStatus().value(),
                    answer.getResponseHeaders(),
                    answer.getResponseBody() == null ? "" : answer.getResponseBody());
        };
    }
}
