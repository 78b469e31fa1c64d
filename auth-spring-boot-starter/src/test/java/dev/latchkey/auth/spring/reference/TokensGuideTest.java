package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.options;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.spring.Services;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** {@code getting-started/tokens.md} and {@code resource-server.md}, followed. */
class TokensGuideTest {

    @TempDir
    Path folder;

    @Test
    void login_controller_andLogout() throws Exception {
        try (Guide guide = guide("getting-started/tokens.md")) {
            serviceOf(guide).run(context -> {
                MockMvc mvc = Services.mvc(context);
                String answer = login(mvc).andReturn().getResponse().getContentAsString();
                guide.shows(answer);
                String token = Services.tokenFrom(answer);
                mvc.perform(get("/me").header("Authorization", "Bearer " + token))
                        .andExpect(content().string("alice [ROLE_USER]"));
                mvc.perform(get("/me").with(httpBasic("alice", Services.PASSWORD)))
                        .andExpect(content().string("alice [ROLE_USER]"));
                mvc.perform(post("/auth/logout").header("Authorization", "Bearer " + token))
                        .andExpect(status().isNoContent());
                mvc.perform(get("/me").header("Authorization", "Bearer " + token))
                        .andExpect(status().isUnauthorized());
            });
        }
    }

    @Test
    void refresh_isThereWithItsConfiguration() throws Exception {
        try (Guide guide = guide("getting-started/tokens.md")) {
            serviceOf(guide)
                    .withPropertyValues(guide.configuration(1))
                    .run(context -> guide.shows(login(Services.mvc(context))
                            .andExpect(content().string(Matchers.containsString("\"expires_in\":900")))
                            .andReturn()
                            .getResponse()
                            .getContentAsString()));
        }
    }

    @Test
    void loginWithoutAKey_stopsTheStart_withTheMessageOfThePage() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "getting-started", "tokens.md"));
        Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withPropertyValues("latchkey.login.enabled=true")
                .run(context -> {
                    Throwable failure = NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure());
                    assertThat(page).contains("`" + failure.getMessage() + "`");
                });
    }

    @Test
    void pageOfAnotherOrigin_mayLogIn() throws Exception {
        try (Guide guide = guide("getting-started/tokens.md")) {
            serviceOf(guide).withUserConfiguration(guide.type("Origins")).run(context -> {
                MockMvc mvc = Services.mvc(context);
                mvc.perform(options("/auth/token")
                                .header("Origin", "https://app.example")
                                .header("Access-Control-Request-Method", "POST")
                                .header("Access-Control-Request-Headers", "content-type"))
                        .andExpect(status().isOk())
                        .andExpect(header().string("Access-Control-Allow-Origin", "https://app.example"));
                mvc.perform(post("/auth/token")
                                .header("Origin", "https://app.example")
                                .contentType("application/json")
                                .content(Services.LOGIN))
                        .andExpect(status().isOk())
                        .andExpect(header().string("Access-Control-Allow-Origin", "https://app.example"));
            });
        }
    }

    @Test
    void tokensEnd_whenTheChainIsToldOfANewPassword() throws Exception {
        try (Guide guide = guide("getting-started/tokens.md")) {
            Class<?> passwords = guide.type("Passwords");
            // Tokens of the second in which they are revoked are revoked too, so the clock need not move.
            InstantSource clock = InstantSource.fixed(Instant.now());
            serviceOf(guide)
                    .withBean("latchkeyClock", InstantSource.class, () -> clock)
                    .withBean(passwords)
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        String token = Services.tokenFrom(login(mvc));
                        mvc.perform(get("/me").header("Authorization", "Bearer " + token))
                                .andExpect(status().isOk());
                        var changed = passwords.getDeclaredMethod("changed", String.class);
                        changed.setAccessible(true);
                        changed.invoke(context.getBean(passwords), "alice");
                        mvc.perform(get("/me").header("Authorization", "Bearer " + token))
                                .andExpect(status().isUnauthorized());
                    });
        }
    }

    @Test
    void resourceServer_hasLoginAndLogout() throws Exception {
        try (Guide guide = guide("getting-started/resource-server.md")) {
            Class<?> chain = guide.type("ApiSecurity");
            Services.resourceServerWithoutAKey()
                    .withClassLoader(guide.loader())
                    .withUserConfiguration(Services.Accounts.class, chain)
                    .withPropertyValues(guide.configuration(0))
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        MockMvc mvc = Services.mvc(context);
                        String token = Services.tokenFrom(login(mvc));
                        mvc.perform(get("/whoami").header("Authorization", "Bearer " + token))
                                .andExpect(content().string("alice [ROLE_USER]"));
                        guide.shows(mvc.perform(get("/hello").header("Authorization", "Bearer " + token))
                                .andExpect(status().isOk())
                                .andReturn()
                                .getResponse()
                                .getContentAsString());
                        mvc.perform(post("/auth/logout").header("Authorization", "Bearer " + token))
                                .andExpect(status().isNoContent());
                        guide.shows("WWW-Authenticate: "
                                + mvc.perform(get("/hello").header("Authorization", "Bearer " + token))
                                        .andExpect(status().isUnauthorized())
                                        .andReturn()
                                        .getResponse()
                                        .getHeader("WWW-Authenticate"));
                    });
        }
    }

    private Guide guide(String page) throws Exception {
        Guide guide = Guide.of(page, folder);
        Files.writeString(guide.secret("jwt.key"), Services.KEY);
        return guide;
    }

    private static WebApplicationContextRunner serviceOf(Guide guide) throws Exception {
        return Services.web()
                .withClassLoader(guide.loader())
                .withUserConfiguration(Services.Accounts.class, guide.type("ApiSecurity"), guide.type("WhoAmI"))
                .withPropertyValues(guide.configuration(0));
    }

    private static ResultActions login(MockMvc mvc) throws Exception {
        return mvc.perform(post("/auth/token").contentType("application/json").content(Services.LOGIN));
    }
}
