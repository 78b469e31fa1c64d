package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import jakarta.servlet.http.Cookie;
import java.net.HttpCookie;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;

/** {@code how-to/tokens-in-cookies.md}: what the page's script does, with the CSRF token of the first answer, on servlets and on WebFlux. */
class CookiesGuideTest {

    @TempDir
    Path folder;

    @Test
    void page_logsIn_refreshes_andLogsOut() throws Exception {
        try (Guide guide = Guide.of("how-to/tokens-in-cookies.md", folder)) {
            Files.writeString(guide.secret("jwt.key"), Services.KEY);
            Services.web()
                    .withClassLoader(guide.loader())
                    .withUserConfiguration(Services.Accounts.class, guide.type("PageSecurity"))
                    .withPropertyValues(guide.configuration(0))
                    .withPropertyValues("latchkey.login.logins.enabled=true")
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        Cookie csrf =
                                mvc.perform(get("/")).andReturn().getResponse().getCookie("XSRF-TOKEN");
                        assertThat(csrf).isNotNull();
                        MockHttpServletResponse login = ask(mvc, "/auth/token", Services.LOGIN, csrf);
                        assertThat(login.getContentAsString()).isEqualTo("{\"expires_in\":900}");
                        guide.shows("await ask(\"/auth/token\", {username: \"alice\", password: \"…\"}); // "
                                + login.getContentAsString());
                        Cookie access = login.getCookie("__Host-shop");
                        Cookie refresh = login.getCookie("__Host-shop-refresh");
                        assertThat(hello(mvc, access)).isEqualTo("Hello alice");
                        MockHttpServletResponse refreshed = ask(mvc, "/auth/token", "{}", csrf, access, refresh);
                        assertThat(hello(mvc, refreshed.getCookie("__Host-shop")))
                                .isEqualTo("Hello alice");
                        assertThat(sessions(mvc, refreshed.getCookie("__Host-shop"), "cookie"))
                                .isEqualTo(200);
                        assertThat(sessions(mvc, refreshed.getCookie("__Host-shop"), "none"))
                                .isEqualTo(401);
                        MockHttpServletResponse logout = ask(
                                mvc,
                                "/auth/logout",
                                "{}",
                                csrf,
                                refreshed.getCookie("__Host-shop"),
                                refreshed.getCookie("__Host-shop-refresh"));
                        assertThat(logout.getStatus()).isEqualTo(204);
                        assertThat(logout.getCookie("__Host-shop").getMaxAge()).isZero();
                        assertThat(hello(mvc, refreshed.getCookie("__Host-shop")))
                                .isEmpty();
                    });
        }
    }

    @Test
    void pageOnWebFlux_logsIn_refreshes_andLogsOut() throws Exception {
        try (Guide guide = Guide.of("how-to/tokens-in-cookies.md", folder)) {
            Files.writeString(guide.secret("jwt.key"), Services.KEY);
            ReactiveServices.web()
                    .withClassLoader(guide.loader())
                    .withBean(ReactiveServices.Hello.class)
                    .withBean(MapReactiveUserDetailsService.class, CookiesGuideTest::accounts)
                    .withUserConfiguration(guide.type("ReactivePageSecurity"))
                    .withPropertyValues(guide.configuration(0))
                    .withPropertyValues("latchkey.login.logins.enabled=true")
                    .run(context -> {
                        WebTestClient client = ReactiveServices.client(context);
                        Map<String, String> jar = new HashMap<>();
                        send(client.get().uri("/"), jar);
                        assertThat(jar).containsOnlyKeys("XSRF-TOKEN");
                        assertThat(ask(client, "/auth/token", Services.LOGIN, jar))
                                .isEqualTo("200 {\"expires_in\":900}");
                        assertThat(send(client.get().uri("/hello"), jar)).isEqualTo("200 Hello alice");
                        assertThat(ask(client, "/auth/token", "{}", jar)).startsWith("200 ");
                        assertThat(send(client.get().uri("/hello"), jar)).isEqualTo("200 Hello alice");
                        assertThat(send(client.get().uri("/auth/logins").header("Latchkey-Carrier", "cookie"), jar))
                                .startsWith("200 ");
                        assertThat(send(client.get().uri("/auth/logins"), jar)).startsWith("401 ");
                        assertThat(ask(client, "/auth/logout", "{}", jar)).startsWith("204 ");
                        assertThat(send(client.get().uri("/hello"), jar)).startsWith("401 ");
                    });
        }
    }

    private static MapReactiveUserDetailsService accounts() {
        return new MapReactiveUserDetailsService(User.withUsername("alice")
                .password("{noop}" + Services.PASSWORD)
                .authorities("ROLE_USER")
                .build());
    }

    private static String ask(WebTestClient client, String path, String body, Map<String, String> jar) {
        WebTestClient.RequestHeadersSpec<?> request = client.post()
                .uri(path)
                .header("Latchkey-Carrier", "cookie")
                .header("X-XSRF-TOKEN", jar.get("XSRF-TOKEN"))
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body);
        return send(request, jar);
    }

    private static String send(WebTestClient.RequestHeadersSpec<?> request, Map<String, String> jar) {
        jar.forEach(request::cookie);
        EntityExchangeResult<String> result =
                request.exchange().expectBody(String.class).returnResult();
        for (String header : result.getResponseHeaders().getOrDefault("Set-Cookie", List.of())) {
            HttpCookie cookie = HttpCookie.parse(header).get(0);
            if (cookie.getMaxAge() == 0) {
                jar.remove(cookie.getName());
            } else {
                jar.put(cookie.getName(), cookie.getValue());
            }
        }
        return result.getStatus().value() + " " + result.getResponseBody();
    }

    private static int sessions(MockMvc mvc, Cookie access, String carrier) throws Exception {
        return mvc.perform(
                        get("/auth/logins").header("Latchkey-Carrier", carrier).cookie(access))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    private static MockHttpServletResponse ask(MockMvc mvc, String path, String body, Cookie csrf, Cookie... cookies)
            throws Exception {
        var request = post(path)
                .header("Latchkey-Carrier", "cookie")
                .header("X-XSRF-TOKEN", csrf.getValue())
                .contentType("application/json")
                .content(body)
                .cookie(csrf);
        if (cookies.length > 0) {
            request.cookie(cookies);
        }
        return mvc.perform(request).andReturn().getResponse();
    }

    private static String hello(MockMvc mvc, Cookie access) throws Exception {
        MockHttpServletResponse answer =
                mvc.perform(get("/hello").cookie(access)).andReturn().getResponse();
        return answer.getStatus() == 200 ? answer.getContentAsString() : "";
    }
}
