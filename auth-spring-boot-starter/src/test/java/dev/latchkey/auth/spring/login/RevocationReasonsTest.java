package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.account.LoginControl;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.web.MockHttpServletResponse;

/** The reason in a 401 for a revoked token, with and without the property. */
class RevocationReasonsTest {

    private static final String INVALID = "401 Bearer realm=\"Realm\", error=\"invalid_token\" ";
    private static final String[] SETTINGS = {
        "latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true", "latchkey.login.refresh.enabled=true",
    };

    private Instant now = Instant.parse("2026-11-24T10:00:00Z");
    private final WebApplicationContextRunner silent = Services.web()
            .withUserConfiguration(Services.Accounts.class)
            .withBean("latchkeyClock", InstantSource.class, () -> () -> now)
            .withPropertyValues(SETTINGS)
            .withPropertyValues("latchkey.login.logins.enabled=true", "latchkey.login.max-per-account=2");
    private final WebApplicationContextRunner telling =
            silent.withPropertyValues("latchkey.revocation.tell-reasons=true");

    @Test
    void eachReason_hasATypeOfItsOwn() {
        telling.run(context -> {
            String replaced = login(context);
            String ended = login(context);
            String last = login(context);
            assertThat(ask(context, replaced)).isEqualTo(INVALID + "tag:latchkey.dev,2026:login-replaced");

            LoginControl control = context.getBean(LoginControl.class);
            control.end(control.of("alice").get(1).id());
            assertThat(ask(context, ended)).isEqualTo(INVALID + "tag:latchkey.dev,2026:login-ended");

            Services.mvc(context)
                    .perform(delete("/auth/logins/" + control.of("alice").get(0).id())
                            .header("Authorization", "Bearer " + last));
            assertThat(ask(context, last)).isEqualTo(INVALID + "tag:latchkey.dev,2026:login-ended");

            String loggedOut = login(context);
            Services.mvc(context).perform(post("/auth/logout").header("Authorization", "Bearer " + loggedOut));
            assertThat(ask(context, loggedOut)).isEqualTo(INVALID + "about:blank");

            String revoked = login(context);
            context.getBean(AuthChain.class).revokeAll("alice", now);
            assertThat(ask(context, revoked)).isEqualTo(INVALID + "tag:latchkey.dev,2026:login-ended");
            context.getBean(AuthChain.class).revokeAll("alice", now.plusSeconds(3600));
            assertThat(ask(context, revoked)).isEqualTo(INVALID + "tag:latchkey.dev,2026:account-barred");
        });
    }

    @Test
    void tokenWithoutARightSignature_orAfterItsEnd_learnsNothing() {
        telling.run(context -> {
            String replaced = login(context);
            login(context);
            login(context);
            assertThat(ask(context, replaced.substring(0, replaced.length() - 4) + "AAAA"))
                    .isEqualTo(INVALID + "about:blank");
            now = now.plusSeconds(3600);
            assertThat(ask(context, replaced)).isEqualTo(INVALID + "about:blank");
        });
    }

    @Test
    void withoutTheProperty_noReasonIsTold() {
        silent.run(context -> {
            String replaced = login(context);
            login(context);
            login(context);
            assertThat(ask(context, replaced)).isEqualTo(INVALID + "about:blank");
            context.getBean(AuthChain.class).revokeAll("alice", now.plusSeconds(3600));
            assertThat(ask(context, replaced)).isEqualTo(INVALID + "about:blank");
        });
    }

    @Test
    void webFlux_tellsTheSame() {
        telling.run(servlet -> {
            String replaced = login(servlet);
            ReactiveServices.web()
                    .withBean("latchkeyClock", InstantSource.class, () -> () -> now)
                    .withPropertyValues(SETTINGS)
                    .withPropertyValues("spring.security.user.name=bob", "latchkey.revocation.tell-reasons=true")
                    .run(context -> {
                        assertThat(askReactive(context, replaced)).startsWith("404");
                        context.getBean(AuthChain.class).revokeAll("alice", now);
                        assertThat(askReactive(context, replaced)).contains("tag:latchkey.dev,2026:login-ended");
                        context.getBean(AuthChain.class).revokeAll("alice", now.plusSeconds(3600));
                        assertThat(askReactive(context, replaced)).contains("tag:latchkey.dev,2026:account-barred");
                        assertThat(askReactive(context, replaced + "x")).contains("about:blank");
                    });
        });
    }

    private static String login(ApplicationContext context) throws Exception {
        return Services.tokenFrom(Services.mvc(context)
                .perform(post("/auth/token").contentType("application/json").content(Services.LOGIN)));
    }

    private static String ask(ApplicationContext context, String token) throws Exception {
        MockHttpServletResponse answer = Services.mvc(context)
                .perform(get("/hello").header("Authorization", "Bearer " + token))
                .andReturn()
                .getResponse();
        return answer.getStatus() + " " + answer.getHeader("WWW-Authenticate") + " "
                + answer.getContentAsString().replaceAll(".*\"type\":\"([^\"]*)\".*", "$1");
    }

    private static String askReactive(ApplicationContext context, String token) {
        var answer = ReactiveServices.client(context)
                .get()
                .uri("/nothing")
                .header("Authorization", "Bearer " + token)
                .exchange()
                .expectBody(String.class)
                .returnResult();
        return answer.getStatus().value() + " " + answer.getResponseBody();
    }
}
