package dev.latchkey.auth.spring.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.login.RegisteredClient;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;

/** Clients as beans, beside the clients of the configuration. */
class RegisteredClientTest {

    private static final String SECRET = "0123456789abcdefghijkl";

    private final WebApplicationContextRunner service = Services.web()
            .withPropertyValues(
                    "latchkey.jwt.secret=" + Services.KEY,
                    "latchkey.login.enabled=true",
                    "latchkey.login.introspection=true")
            .withBean("vault", RegisteredClient.class, () -> client("vault"));

    @Test
    void bean_isAClient_besideThoseOfTheConfiguration() {
        service.withPropertyValues("latchkey.login.clients.shop.secret=" + SECRET)
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    assertThat(introspection(mvc, "vault", SECRET)).isEqualTo(200);
                    assertThat(introspection(mvc, "shop", SECRET)).isEqualTo(200);
                    assertThat(introspection(mvc, "vault", "wrong")).isEqualTo(401);
                    mvc.perform(post("/auth/token")
                                    .with(httpBasic("vault", SECRET))
                                    .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                                    .content("grant_type=password&username=alice&password=" + Services.PASSWORD))
                            .andExpect(status().isBadRequest());
                });
    }

    @Test
    void twoClientsOfOneId_stopTheStart() {
        service.withPropertyValues("latchkey.login.clients.vault.secret=" + SECRET)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("Two clients are registered as 'vault'"));
    }

    @Test
    void shortSecret_emptyIdAndNoGrants_areRefused() {
        Secret secret = Secret.of(SECRET);
        assertThatThrownBy(() -> RegisteredClient.of("vault", Secret.of(SECRET.substring(1))))
                .hasMessage("The client has a secret of 21 characters, and needs 22");
        assertThatThrownBy(() -> RegisteredClient.of("", secret)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RegisteredClient.of("v\u00e4ult", secret))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client("vault").withGrants(Set.of())).isInstanceOf(IllegalArgumentException.class);
        assertThat(client("vault")).hasToString("RegisteredClient[vault]");
    }

    private static RegisteredClient client(String id) {
        return RegisteredClient.of(id, Secret.of(SECRET)).withGrants(Set.of("refresh_token"));
    }

    private static int introspection(MockMvc mvc, String id, String secret) throws Exception {
        return mvc.perform(post("/auth/introspect")
                        .with(httpBasic(id, secret))
                        .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                        .content("token=x"))
                .andReturn()
                .getResponse()
                .getStatus();
    }
}
