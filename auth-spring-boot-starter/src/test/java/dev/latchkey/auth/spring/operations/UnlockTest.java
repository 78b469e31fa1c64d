package dev.latchkey.auth.spring.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.hamcrest.Matchers.endsWith;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.spring.Actuators;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** An operator gives an account its failed logins back, by the actuator on both stacks. */
class UnlockTest {

    private static final String PATH = "/actuator/latchkeyunlock";
    private static final String[] ACCESS = {
        "management.endpoint.latchkeyunlock.access=UNRESTRICTED",
        "management.endpoint.latchkeycaches.access=UNRESTRICTED"
    };
    private static final String HOME = "203.0.113.7";
    private static final String OFFICE = "198.51.100.1";
    private static final String LOCKED = "{\"account\":\"alice\",\"address\":\"203.0.113.7\"}";

    private static final String NO_ADDRESS =
            "{\"status\":400,\"error\":\"Bad Request\",\"message\":\"The parameter 'address' is no IP address\"}";

    private final WebApplicationContextRunner servlet = Actuators.web()
            .withBean(AuditEventRepository.class, InMemoryAuditEventRepository::new)
            .withPropertyValues(ACCESS);
    private final ReactiveWebApplicationContextRunner reactive =
            Actuators.reactive().withPropertyValues(ACCESS);

    @Test
    void ownerWhoIsLockedOut_logsInAgain_andTheChangeIsAudited() {
        servlet.run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (int i = 0; i < 5; i++) {
                login(mvc, HOME, "wrong" + i).andExpect(status().isUnauthorized());
            }
            login(mvc, HOME, Services.PASSWORD).andExpect(status().isTooManyRequests());
            change(mvc, LOCKED)
                    .andExpect(status().isOk())
                    .andExpect(
                            content()
                                    .string(
                                            "{\"account\":\"alice\",\"address\":\"203.0.113.7\",\"wereEmpty\":[\"account_and_source\"]}"));
            login(mvc, HOME, Services.PASSWORD).andExpect(status().isOk());
            change(mvc, LOCKED)
                    .andExpect(
                            content().string("{\"account\":\"alice\",\"address\":\"203.0.113.7\",\"wereEmpty\":[]}"));
            assertThat(context.getBean(AuditEventRepository.class).find("alice", null, Operator.AUDIT_TYPE))
                    .hasSize(2)
                    .first()
                    .satisfies(event -> assertThat(event.getData())
                            .isEqualTo(Map.of(
                                    "change",
                                    "unlock",
                                    "account",
                                    "alice",
                                    "address",
                                    HOME,
                                    "wereEmpty",
                                    List.of("account_and_source"))));
        });
    }

    @Test
    void unlock_isRefusedByDefault_andWithoutAnAccount_andForWhatIsNoAddress() {
        servlet.run(context -> {
            MockMvc mvc = Services.mvc(context);
            change(mvc, "{}").andExpect(status().isBadRequest());
            change(mvc, "{\"account\":\"alice\",\"address\":\"home.example.org\"}")
                    .andExpect(status().isBadRequest())
                    .andExpect(content().string(NO_ADDRESS));
        });
        Actuators.web().run(context -> change(Services.mvc(context), LOCKED).andExpect(status().is4xxClientError()));
    }

    /** The owner logs in by mail address, and the operator is told the address. */
    @Test
    void nameOfTheStore_isUnlockedToo() {
        servlet.withUserConfiguration(ByAddress.class).run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (int i = 0; i < 5; i++) {
                login(mvc, HOME, "wrong" + i).andExpect(status().isUnauthorized());
            }
            login(mvc, HOME, Services.PASSWORD).andExpect(status().isTooManyRequests());
            change(mvc, LOCKED.replace("alice", "alice@example.org"))
                    .andExpect(status().isOk())
                    .andExpect(content().string(endsWith("\"wereEmpty\":[\"account_and_source\"]}")));
            login(mvc, HOME, Services.PASSWORD).andExpect(status().isOk());
        });
    }

    /** Limits by the stored hash remain then, and the owner is still refused. */
    @Test
    void spellingThatNoStoreKnows_isAnswered() {
        servlet.run(
                context -> change(Services.mvc(context), LOCKED.replace("alice", "al-ice"))
                        .andExpect(
                                content()
                                        .string(
                                                "{\"account\":\"al-ice\",\"address\":\"203.0.113.7\",\"wereEmpty\":[],\"foundInStore\":false}")));
    }

    /** The account is found in a reactive store there, and so its buckets by the stored hash are. */
    @Test
    void webFlux_unlocksToo() {
        reactive.run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            for (int i = 0; i < 5; i++) {
                assertThat(login(client, "wrong" + i)).isEqualTo(401);
            }
            assertThat(login(client, Services.PASSWORD)).isEqualTo(429);
            UnlockEndpoint endpoint = context.getBean(UnlockEndpoint.class);
            assertThat(endpoint.unlock(SecurityContext.NONE, "alice", "192.0.2.1"))
                    .isEqualTo(Map.of(
                            "account", "alice", "address", "192.0.2.1", "wereEmpty", List.of("account_and_source")));
            assertThat(login(client, Services.PASSWORD)).isEqualTo(200);
        });
    }

    @Test
    void reasonOfABadRequest_isInTheBody_andByJmxInTheException() {
        reactive.run(context -> {
            ReactiveServices.client(context)
                    .post()
                    .uri(PATH)
                    .header("Authorization", ReactiveServices.basic("alice", Services.PASSWORD))
                    .bodyValue(Map.of("account", "alice", "address", "home.example.org"))
                    .exchange()
                    .expectStatus()
                    .isBadRequest()
                    .expectBody(String.class)
                    .isEqualTo(NO_ADDRESS);
            UnlockEndpoint endpoint = context.getBean(UnlockEndpoint.class);
            assertThatExceptionOfType(InvalidEndpointRequestException.class)
                    .isThrownBy(() -> endpoint.unlock(SecurityContext.NONE, "alice", "home.example.org"))
                    .withMessage("The parameter 'address' is no IP address");
        });
    }

    /** The other commands of an operator are 503 too while a store is down. */
    @ParameterizedTest
    @ValueSource(strings = {PATH, "/actuator/latchkeycaches"})
    void storeOfAccountsThatIsDown_is503(String path) {
        String carol = "{\"account\":\"carol\"}";
        servlet.withUserConfiguration(WithoutCarol.class)
                .run(context -> change(Services.mvc(context), path, carol).andExpect(status().isServiceUnavailable()));
        reactive.withUserConfiguration(WithoutCarol.class)
                .run(context -> ReactiveServices.client(context)
                        .post()
                        .uri(path)
                        .header("Authorization", ReactiveServices.basic("alice", Services.PASSWORD))
                        .header("Content-Type", "application/json")
                        .bodyValue(carol)
                        .exchange()
                        .expectStatus()
                        .isEqualTo(503));
    }

    private static int login(WebTestClient client, String password) {
        return client.get()
                .uri("/actuator/latchkey")
                .header("Authorization", ReactiveServices.basic("alice", password))
                .exchange()
                .returnResult(Void.class)
                .getStatus()
                .value();
    }

    private static ResultActions login(MockMvc mvc, String from, String password) throws Exception {
        return mvc.perform(get("/hello").with(httpBasic("alice", password)).with(request -> {
            request.setRemoteAddr(from);
            return request;
        }));
    }

    /** By an operator at another address. */
    private static ResultActions change(MockMvc mvc, String body) throws Exception {
        return change(mvc, PATH, body);
    }

    private static ResultActions change(MockMvc mvc, String path, String body) throws Exception {
        return mvc.perform(post(path)
                .with(httpBasic("alice", Services.PASSWORD))
                .with(csrf())
                .with(request -> {
                    request.setRemoteAddr(OFFICE);
                    return request;
                })
                .contentType("application/json")
                .content(body));
    }

    /** Stores of accounts that are down for one account. */
    @Configuration(proxyBeanMethods = false)
    static class WithoutCarol implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof InMemoryUserDetailsManager users) {
                return new InMemoryUserDetailsManager(users.loadUserByUsername("alice")) {
                    @Override
                    public UserDetails loadUserByUsername(String account) {
                        return super.loadUserByUsername(requireUp(account));
                    }
                };
            }
            return bean instanceof ReactiveUserDetailsService users
                    ? (ReactiveUserDetailsService) account -> users.findByUsername(requireUp(account))
                    : bean;
        }

        private static String requireUp(String account) {
            if (account.equals("carol")) {
                throw new IllegalStateException("The database is down");
            }
            return account;
        }
    }

    /** A store that finds accounts by mail address too. */
    @Configuration(proxyBeanMethods = false)
    static class ByAddress {

        @Bean
        EndpointConfiguration.StoredHashes latchkeyStoredHashes(UserDetailsService users) {
            return account -> {
                String name = account.replace("@example.org", "");
                return List.of(new EndpointConfiguration.StoredHash(
                        name, users.loadUserByUsername(name).getPassword()));
            };
        }
    }
}
