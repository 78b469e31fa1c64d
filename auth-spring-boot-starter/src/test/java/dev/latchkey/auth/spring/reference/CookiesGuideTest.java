package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.spring.Services;
import jakarta.servlet.http.Cookie;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;

/** {@code how-to/tokens-in-cookies.md}: what the page's script does, with the CSRF token of the first answer. */
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
