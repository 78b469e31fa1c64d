package dev.latchkey.auth.spring.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.login.LoginBucket;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.spring.Actuators;
import dev.latchkey.auth.spring.OwnHolder;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.test.web.reactive.server.StatusAssertions;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** An operator changes how many logins may fail, by the actuator on both stacks. */
@Tag("long")
class ChangedLoginLimitsTest {

    private static final String STATUS = "/actuator/latchkey";
    private static final String LIMITS = STATUS + "limits/";
    private static final String TO_TWO = "{\"window\":0,\"tokens\":2,\"per\":\"1h\"}";
    private static final String SHOWN = "\"account_and_source\":[{\"tokens\":2,\"per\":\"PT1H\"},";
    private static final LimitWindow TWO_AN_HOUR = LimitWindow.of(2, Duration.ofHours(1));

    private final WebApplicationContextRunner servlet = Actuators.web()
            .withBean(AuditEventRepository.class, InMemoryAuditEventRepository::new)
            .withPropertyValues(
                    "management.endpoint.latchkeylimits.access=UNRESTRICTED",
                    // Or loopback would be no source of its own.
                    "latchkey.guard.trusted-proxies=127.0.0.1");
    private final ReactiveWebApplicationContextRunner reactive =
            Actuators.reactive().withPropertyValues("management.endpoint.latchkeylimits.access=UNRESTRICTED");

    @Test
    void changeByTheActuator_holdsAtOnce_isShown_andAudited() {
        servlet.run(context -> {
            MockMvc mvc = Services.mvc(context);
            change(mvc, "account-and-source", TO_TWO)
                    .andExpect(status().isOk())
                    .andExpect(content().string(containsString("\"bucket\":\"account_and_source\"")));
            mvc.perform(get(STATUS).with(httpBasic("alice", Services.PASSWORD)))
                    .andExpect(content().string(containsString(SHOWN)));
            assertThat(context.getBean(AuditEventRepository.class).find("alice", null, Operator.AUDIT_TYPE))
                    .singleElement()
                    .satisfies(event -> assertThat(event.getData())
                            .containsEntry("change", "limit")
                            .containsEntry("bucket", "account_and_source")
                            .containsEntry("window", 0)
                            .containsEntry("tokens", 2L)
                            .containsEntry("per", "PT1H"));
            for (int i = 0; i < 2; i++) {
                mvc.perform(get("/hello").with(httpBasic("bob", "wrong" + i))).andExpect(status().isUnauthorized());
            }
            mvc.perform(get("/hello").with(httpBasic("bob", "wrong"))).andExpect(status().isTooManyRequests());
        });
    }

    @Test
    void changeByTheActuatorOfAWebFluxService_holdsAtOnce_andIsShown() {
        reactive.run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            changeTo(TO_TWO, client).isOk();
            client.get()
                    .uri(STATUS)
                    .headers(headers -> headers.setBasicAuth("alice", Services.PASSWORD))
                    .exchange()
                    .expectBody(String.class)
                    .value(body -> assertThat(body).contains(SHOWN));
            assertThat(context.getBean(LoginLimits.class)
                            .settings()
                            .policy(LoginBucket.ACCOUNT_AND_SOURCE)
                            .windows())
                    .startsWith(TWO_AN_HOUR);
        });
    }

    @Test
    void changeByCode_isAudited() {
        servlet.run(context -> {
            context.getBean(LoginLimits.class).change(LoginBucket.ACCOUNT, 0, TWO_AN_HOUR);
            assertThat(context.getBean(AuditEventRepository.class).find(null, null, LimitAudit.TYPE))
                    .extracting(event ->
                            event.getPrincipal() + " " + event.getData().get("limit"))
                    .containsExactly(" login-account");
        });
    }

    @Test
    void changeByCode_isAuditedUnderWhoIsLoggedInByTheServicesStrategy() {
        OwnHolder holder = new OwnHolder();
        servlet.withBean(SecurityContextHolderStrategy.class, () -> holder).run(context -> {
            holder.logIn(new TestingAuthenticationToken("carol", null, "ROLE_ADMIN"));
            try {
                context.getBean(LoginLimits.class).change(LoginBucket.ACCOUNT, 0, TWO_AN_HOUR);
            } finally {
                holder.clearContext();
            }
            assertThat(context.getBean(AuditEventRepository.class).find("carol", null, LimitAudit.TYPE))
                    .hasSize(1);
        });
    }

    @Test
    void changeByTheActuatorsOwnJmx_isAuditedAsSuch() {
        servlet.run(context -> {
            // The operation of JMX; HTTP has another.
            context.getBean(LimitsEndpoint.class).changeLimit("source", 0, 2L, "1h");
            assertThat(context.getBean(AuditEventRepository.class).find("jmx", null, null))
                    .extracting(AuditEvent::getType)
                    .containsExactly(LimitAudit.TYPE, Operator.AUDIT_TYPE);
        });
    }

    @Test
    void changeByTheActuatorOfAWebFluxService_isAuditedUnderTheNameOfWhoAsked() {
        List<AuditEvent> audited = new CopyOnWriteArrayList<>();
        reactive.withInitializer(context -> context.addApplicationListener(event -> {
                    if (event instanceof AuditApplicationEvent audit) {
                        audited.add(audit.getAuditEvent());
                    }
                }))
                .run(context -> {
                    changeTo(TO_TWO, ReactiveServices.client(context)).isOk();
                    assertThat(audited)
                            .extracting(event -> event.getPrincipal() + " " + event.getType())
                            .contains("alice " + LimitAudit.TYPE, "alice " + Operator.AUDIT_TYPE);
                });
    }

    @Test
    void onlyWindowOfABucket_needsNoNumber() {
        servlet.run(context -> {
            change(Services.mvc(context), "slow_attempts", "{\"tokens\":2,\"per\":\"1h\"}")
                    .andExpect(status().isOk());
            assertThat(context.getBean(LoginLimits.class)
                            .settings()
                            .policy(LoginBucket.SLOW_ATTEMPTS)
                            .windows())
                    .containsExactly(TWO_AN_HOUR);
        });
    }

    @Test
    void changeThatMakesNoSense_isABadRequest_andChangesNothing() {
        servlet.run(context -> {
            LoginLimitSettings before = context.getBean(LoginLimits.class).settings();
            MockMvc mvc = Services.mvc(context);
            change(mvc, "moon", TO_TWO)
                    .andExpect(status().isBadRequest())
                    .andExpect(content().string(containsString("\"message\":\"The bucket is one of known_client, ")));
            for (String body : List.of(
                    "{}",
                    "{\"tokens\":2,\"per\":\"1h\"}",
                    "{\"window\":0,\"tokens\":2}",
                    "{\"window\":0,\"tokens\":\"\",\"per\":\"1h\"}",
                    "{\"window\":0,\"tokens\":2,\"per\":\"\"}",
                    "{\"window\":0,\"per\":\"1h\"}",
                    "{\"window\":2,\"tokens\":2,\"per\":\"1h\"}",
                    "{\"window\":-1,\"tokens\":2,\"per\":\"1h\"}",
                    "{\"window\":0,\"tokens\":0,\"per\":\"1h\"}",
                    "{\"window\":0,\"tokens\":2,\"per\":\"0s\"}",
                    "{\"window\":0,\"tokens\":2,\"per\":\"5\"}",
                    "{\"window\":0,\"tokens\":9223372036854775807,\"per\":\"1ms\"}",
                    "{\"window\":0,\"tokens\":2,\"per\":\"200000d\"}",
                    "{\"window\":0,\"tokens\":2,\"per\":\"soon\"}")) {
                assertThat(change(mvc, "source", body).andReturn().getResponse().getStatus())
                        .as(body)
                        .isEqualTo(400);
            }
            assertThat(context.getBean(LoginLimits.class).settings()).isEqualTo(before);
        });
    }

    @Test
    void serviceWithoutAGuard_saysThatItHasNoLimits() {
        servlet.withPropertyValues("latchkey.guard.enabled=false")
                .run(context -> change(Services.mvc(context), "account-and-source", TO_TWO)
                        .andExpect(status().isBadRequest())
                        .andExpect(content().string(containsString("There are no login limits"))));
    }

    private static StatusAssertions changeTo(String limit, WebTestClient client) {
        return client.post()
                .uri(LIMITS + "account-and-source")
                .headers(headers -> headers.setBasicAuth("alice", Services.PASSWORD))
                .header("Content-Type", "application/json")
                .bodyValue(limit)
                .exchange()
                .expectStatus();
    }

    private static ResultActions change(MockMvc mvc, String bucket, String body) throws Exception {
        return mvc.perform(post(LIMITS + bucket)
                .with(httpBasic("alice", Services.PASSWORD))
                .with(csrf())
                .contentType("application/json")
                .content(body));
    }
}
