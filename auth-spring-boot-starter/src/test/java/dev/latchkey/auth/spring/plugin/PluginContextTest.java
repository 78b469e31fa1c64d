package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.login.TokenCustomizer;
import dev.latchkey.auth.spring.login.TokenIssuer;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.RequestPostProcessor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What a plugin is shown of the request that credentials came with, by each way in and on both stacks. */
class PluginContextTest {

    private static final String[] WITH_LOGIN = {
        "latchkey.jwt.secret=" + Services.KEY,
        "latchkey.login.enabled=true",
        "latchkey.plugins=asked",
        "latchkey.tenant-header=X-Tenant"
    };

    private final List<String> shown = new ArrayList<>();

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class)
            .withBean("asked", AuthPlugin.class, Asked::new)
            .withPropertyValues(WITH_LOGIN);

    @Test
    void tokenLoginAndCredentialsOfItsOwn_comeWithTheirRequest() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            mvc.perform(get("/hello")
                            .header("Authorization", "Bearer x")
                            .header("X-Tenant", "emea")
                            .header("X-Device", "laptop")
                            .with(from("192.0.2.7")))
                    .andExpect(status().isOk());
            mvc.perform(get("/hello").header("X-Badge", "7").with(from("2001:db8::7")))
                    .andExpect(status().isOk());
            mvc.perform(post("/auth/token")
                            .contentType("application/json")
                            .content(Services.LOGIN)
                            .header("X-Tenant", "apac")
                            .with(from("192.0.2.8")))
                    .andExpect(status().isOk());
        });
        assertThat(shown)
                .containsExactly(
                        "BearerToken 192.0.2.7 emea [laptop]",
                        "Badge 2001:db8:0:0:0:0:0:7 none []",
                        "PasswordCredentials 192.0.2.8 apac []");
    }

    /** The client's answer to a further step comes with the tenant, too. */
    @Test
    void tokensOfTheServicesOwnLogin_areOfTheTenantOfTheRequest() {
        service.withPropertyValues("latchkey.plugins=asked,users")
                .withBean(OwnLogin.class)
                .withBean(TokenCustomizer.class, () -> (login, options) -> {
                    shown.add("customizer " + login.request().tenant().orElse("none") + " "
                            + login.request().header("X-Device"));
                    return options;
                })
                .run(context -> Services.mvc(context)
                        .perform(get("/own")
                                .header("Authorization", "Bearer x")
                                .header("X-Tenant", "emea")
                                .header("X-Device", "laptop"))
                        .andExpect(status().isOk()));
        assertThat(shown).endsWith("customizer emea [laptop]");
    }

    @RestController
    static class OwnLogin {

        private final TokenIssuer tokens;

        OwnLogin(TokenIssuer tokens) {
            this.tokens = tokens;
        }

        @GetMapping("/own")
        String login() {
            Authentication login = UsernamePasswordAuthenticationToken.authenticated(
                    "alice", null, AuthorityUtils.createAuthorityList("ROLE_USER"));
            return tokens.issue(login).orElseThrow().getClass().getSimpleName();
        }
    }

    @Test
    void addressBehindAProxyThatNobodyConfigured_isNone_andBehindAConfiguredOneTheClients() {
        service.run(context -> Services.mvc(context)
                .perform(get("/hello")
                        .header("Authorization", "Bearer x")
                        .header("X-Forwarded-For", "192.0.2.9")
                        .with(from("10.0.0.1"))));
        service.withPropertyValues("latchkey.guard.trusted-proxies=10.0.0.0/8")
                .run(context -> Services.mvc(context)
                        .perform(get("/hello")
                                .header("Authorization", "Bearer x")
                                .header("X-Forwarded-For", "192.0.2.9")
                                .with(from("10.0.0.1"))));
        assertThat(shown).containsExactly("BearerToken unknown none []", "BearerToken 192.0.2.9 none []");
    }

    @Test
    void tenantThatStandsTwiceOrIsNone_isNotShown() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (String[] tenants : new String[][] {{"emea", "apac"}, {""}, {"t".repeat(256)}}) {
                mvc.perform(get("/hello")
                        .header("Authorization", "Bearer x")
                        .header("X-Tenant", (Object[]) tenants)
                        .with(from("192.0.2.7")));
            }
        });
        assertThat(shown).hasSize(3).containsOnly("BearerToken 192.0.2.7 none []");
    }

    @Test
    void withoutLimits_theAddressIsTheServers() {
        service.withPropertyValues("latchkey.guard.enabled=false")
                .run(context -> Services.mvc(context)
                        .perform(get("/hello")
                                .header("Authorization", "Bearer x")
                                .with(from("10.0.0.1"))));
        assertThat(shown).containsExactly("BearerToken 10.0.0.1 none []");
    }

    @Test
    void onWebFluxToo() {
        ReactiveServices.web()
                .withBean(ReactiveServices.Hello.class)
                .withBean("asked", AuthPlugin.class, Asked::new)
                .withPropertyValues("spring.security.user.password={noop}" + Services.PASSWORD)
                .withPropertyValues(WITH_LOGIN)
                .run(context -> {
                    ReactiveServices.client(context)
                            .get()
                            .uri("/hello")
                            .header("Authorization", "Bearer x")
                            .header("X-Tenant", "emea")
                            .header("X-Device", "laptop")
                            .exchange()
                            .expectStatus()
                            .isOk();
                    ReactiveServices.client(context)
                            .post()
                            .uri("/auth/token")
                            .header("Content-Type", "application/json")
                            .header("X-Tenant", "apac")
                            .bodyValue(Services.LOGIN)
                            .exchange()
                            .expectStatus()
                            .isOk();
                });
        assertThat(shown)
                .containsExactly("BearerToken 192.0.2.1 emea [laptop]", "PasswordCredentials 192.0.2.1 apac []");
    }

    @Test
    void headerThatIsNoFieldName_isAnError() {
        service.withPropertyValues("latchkey.tenant-header=X Tenant")
                .run(context -> assertThat(NestedExceptionUtils.getRootCause(context.getStartupFailure()))
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessageContaining("latchkey.tenant-header is no name of a header field"));
    }

    private static RequestPostProcessor from(String address) {
        return request -> {
            request.setRemoteAddr(address);
            return request;
        };
    }

    private record Badge() implements Credentials {}

    private final class Asked implements LoginSource<Credentials>, CredentialsReader {

        @Override
        public String name() {
            return "asked";
        }

        @Override
        public Class<Credentials> kind() {

            return Credentials.class;
        }

        @Override
        public Decision authenticate(Credentials credentials, RequestContext context) {
            shown.add(credentials.getClass().getSimpleName() + " "
                    + context.address().orElse("unknown") + " "
                    + context.tenant().orElse("none") + " " + context.header("X-Device"));
            return credentials instanceof BearerToken
                            || credentials instanceof Badge
                            || credentials instanceof PasswordCredentials
                    ? Authenticated.as(Subject.of("somebody"))
                    : Decision.abstained();
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            return context.header("X-Badge").isEmpty() ? Optional.empty() : Optional.of(new Badge());
        }
    }
}
