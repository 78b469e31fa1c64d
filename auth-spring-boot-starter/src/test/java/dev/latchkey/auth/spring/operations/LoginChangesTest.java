package dev.latchkey.auth.spring.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.Actuators;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.account.LoginControl;
import dev.latchkey.auth.spring.account.LoginDevices;
import dev.latchkey.auth.spring.plugin.SpringAuthenticationPlugin;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** An operator's changes of logins, and their audit. */
@Tag("long")
class LoginChangesTest {

    private static final String ALICE = "{\"account\":\"alice\"}";
    private static final String OWNER = "alice";

    private final WebApplicationContextRunner restricted = Actuators.web()
            .withPropertyValues(
                    "latchkey.jwt.secret=" + Services.KEY,
                    "latchkey.login.enabled=true",
                    "latchkey.login.refresh.enabled=true",
                    "latchkey.login.logins.record-address=true")
            .withBean(LoginDevices.class, () -> request -> Optional.of("Alice's phone"))
            .withBean(AuditEventRepository.class, InMemoryAuditEventRepository::new);
    private final WebApplicationContextRunner service = restricted.withPropertyValues(
            "management.endpoint.latchkeylogins.access=UNRESTRICTED",
            "management.endpoint.latchkeylogout.access=UNRESTRICTED");

    private final WebApplicationContextRunner devices = Actuators.web()
            .withPropertyValues(
                    "latchkey.jwt.secret=" + Services.KEY,
                    "latchkey.login.enabled=true",
                    "latchkey.login.refresh.enabled=true",
                    "management.endpoint.latchkeylogout.access=UNRESTRICTED")
            .withBean(
                    LoginDevices.class,
                    () -> request -> request.header("X-Device").stream().findFirst());

    @Test
    void list_saysWhatIsKnownOfEach_andTheAuditHowManyWereShown() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            login(mvc);
            login(mvc);
            String id = idOfOne(context);
            change(mvc, "list-logins", ALICE)
                    .andExpect(status().isOk())
                    .andExpect(content().string(containsString("\"id\":\"" + id + "\"")))
                    .andExpect(content().string(containsString("\"plugin\":\"users\"")))
                    .andExpect(content().string(containsString("\"device\":\"Alice's phone\"")))
                    .andExpect(content().string(containsString("\"address\":\"192.0.2.1\"")));
            assertThat(audited(context, Operator.AUDIT_TYPE))
                    .extracting(AuditEvent::getData)
                    .containsExactly(Map.of("change", "list-logins", "account", "alice", "logins", 2));
            change(mvc, "list-logins", "{\"account\":\"nobody\"}")
                    .andExpect(content().string(containsString("\"logins\":[]")));
        });
    }

    @Test
    void loginThatIsEnded_hasNoGoodToken_andTheOthersStay() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            String ended = login(mvc);
            String id = idOfOne(context);
            String other = login(mvc);
            change(mvc, "end-login", "{\"login\":\"" + id + "\"}")
                    .andExpect(status().isOk())
                    .andExpect(content().string(not(containsString(id))));
            hello(mvc, ended).andExpect(status().isUnauthorized());
            hello(mvc, other).andExpect(status().isOk());
            change(mvc, "end-login", "{\"login\":\"" + id + "\"}").andExpect(status().isBadRequest());
            assertThat(audited(context, LoginAudit.ENDED)).singleElement().satisfies(event -> {
                assertThat(event.getPrincipal()).isEqualTo("alice");
                assertThat(event.getData()).isEqualTo(Map.of("cause", "operator"));
            });
        });
    }

    @Test
    void loginsOfADevice_areEndedAlone_byTheOperatorAndByTheService() {
        devices.run(context -> {
            MockMvc mvc = Services.mvc(context);
            String phone = login(mvc, "phone");
            String desktop = login(mvc, "desktop");
            String desktopToo = login(mvc, "desktop");
            String other = login(mvc, "watch");
            change(mvc, "end-logins-of-device", "{\"account\":\"alice\",\"device\":\"desktop\"}")
                    .andExpect(content().string(containsString("\"logins\":2")));
            hello(mvc, desktop).andExpect(status().isUnauthorized());
            hello(mvc, desktopToo).andExpect(status().isUnauthorized());
            hello(mvc, phone).andExpect(status().isOk());
            LoginControl control = context.getBean(LoginControl.class);
            assertThat(control.endOfDevice("alice", "tablet")).isZero();
            assertThat(control.endOfDevice("bob", "phone")).isZero();
            assertThat(control.endOfDevice("alice", "phone")).isOne();
            hello(mvc, phone).andExpect(status().isUnauthorized());
            hello(mvc, other).andExpect(status().isOk());
            change(mvc, "end-login", "{\"device\":\"phone\"}").andExpect(status().isBadRequest());
        });
    }

    @Test
    void allThatAreEnded_areAll_alsoTokensOfNoKeptLogin() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            String first = login(mvc);
            // Ended in the store, so the session no longer counts.
            context.getBean(LoginStore.class).end(idOfOne(context));
            String second = login(mvc);
            change(mvc, "end-logins", ALICE).andExpect(content().string(containsString("\"logins\":1")));
            hello(mvc, first).andExpect(status().isUnauthorized());
            hello(mvc, second).andExpect(status().isUnauthorized());
            assertThat(context.getBean(LoginStore.class).ofOwner(OWNER)).isEmpty();
            assertThat(audited(context, Operator.AUDIT_TYPE))
                    .extracting(AuditEvent::getData)
                    .containsExactly(Map.of("change", "end-logins", "account", "alice", "logins", 1));
        });
    }

    @Test
    void allThatAreEnded_areAll_alsoWhereNoPluginReadsTokens() {
        service.withPropertyValues("latchkey.plugins=users").run(context -> {
            MockMvc mvc = Services.mvc(context);
            login(mvc);
            Instant before = Instant.now();
            change(mvc, "end-logins", ALICE).andExpect(status().isOk());
            assertThat(context.getBean(RevocationStore.class).notBefore("alice"))
                    .isAfterOrEqualTo(before);
        });
    }

    /** The subject has the spelling of the store, so another spelling ends nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"al-ice", "ALICE"})
    void spellingThatNoStoreKnows_isAnswered(String account) {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            String unknown = "{\"account\":\"" + account + "\",\"logins\":0,\"foundInStore\":false}";
            change(mvc, "end-logins", ALICE.replace("alice", account))
                    .andExpect(content().string(unknown));
            change(mvc, "end-logins-of-device", "{\"account\":\"" + account + "\",\"device\":\"phone\"}")
                    .andExpect(content().string(unknown));
            change(mvc, "end-logins", ALICE).andExpect(content().string("{\"account\":\"alice\",\"logins\":0}"));
        });
    }

    @Test
    void accountOfAPlugin_isNotCalledUnknown() {
        service.withBean(AuthPlugin.class, () -> SpringAuthenticationPlugin.of("ldap", login -> login))
                .run(context -> change(Services.mvc(context), "end-logins", ALICE.replace("alice", "ldap:alice"))
                        .andExpect(content().string("{\"account\":\"ldap:alice\",\"logins\":0}")));
        service.withBean(AuthPlugin.class, () -> SpringAuthenticationPlugin.of("ldap", login -> login))
                .withPropertyValues("latchkey.shared-subjects=users,ldap")
                .run(context -> change(Services.mvc(context), "end-logins", ALICE.replace("alice", "bob"))
                        .andExpect(content().string("{\"account\":\"bob\",\"logins\":0}")));
    }

    @Test
    void storeThatDoesNotAnswer_doesNotChangeTheAnswer() {
        service.withBean("latchkeyStoredHashes", EndpointConfiguration.StoredHashes.class, () -> account -> {
                    throw new IllegalStateException("The store of the accounts is down");
                })
                .run(context -> change(Services.mvc(context), "end-logins", ALICE)
                        .andExpect(content().string("{\"account\":\"alice\",\"logins\":0}")));
    }

    @Test
    void audit_hasNeitherDeviceNorAddressNorId_ofALoginThatEnds() {
        service.withPropertyValues("latchkey.login.max-per-account=1").run(context -> {
            MockMvc mvc = Services.mvc(context);
            login(mvc);
            String id = idOfOne(context);
            login(mvc);
            change(mvc, "list-logins", ALICE);
            change(mvc, "end-logins", ALICE);
            List<AuditEvent> events =
                    context.getBean(AuditEventRepository.class).find(null, null, null);
            assertThat(audited(context, LoginAudit.ENDED)).hasSize(2);
            for (AuditEvent event : events) {
                if (event.getType().startsWith("LATCHKEY")) {
                    assertThat(event.toString()).doesNotContain(id, "phone", "192.0.2.1");
                }
            }
        });
    }

    @Test
    void refusedLogin_isInTheAudit() {
        service.withPropertyValues("latchkey.login.max-per-account=1", "latchkey.login.when-full=refuse")
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    login(mvc);
                    tryLogin(mvc).andExpect(status().isConflict());
                    assertThat(audited(context, LoginAudit.REFUSED))
                            .extracting(AuditEvent::getPrincipal)
                            .containsExactly("alice");
                });
    }

    @Test
    void withoutWriteAccess_nothingIsListedOrEnded() {
        restricted.run(context -> {
            MockMvc mvc = Services.mvc(context);
            String token = login(mvc);
            for (String what : List.of("list-logins", "end-logins")) {
                change(mvc, what, ALICE).andExpect(status().is4xxClientError());
            }
            change(mvc, "end-login", "{\"login\":\"" + idOfOne(context) + "\"}").andExpect(status().is4xxClientError());
            hello(mvc, token).andExpect(status().isOk());
        });
    }

    @Test
    void withoutKeptLogins_orWithoutAnAccount_itIsABadRequest() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (String what : List.of("list-logins", "end-logins", "end-login")) {
                change(mvc, what, "{}").andExpect(status().isBadRequest());
            }
            change(mvc, "end-login", "{\"login\":\"no id\"}")
                    .andExpect(status().isBadRequest())
                    .andExpect(content().string(containsString("There is no login of this id")));
            change(mvc, "end-logins", "{\"account\":\"\\ud800\"}").andExpect(status().isBadRequest());
            change(mvc, "end-logins", "{\"acount\":\"alice\"}")
                    .andExpect(content().string(containsString("Write either 'login', or 'account'")));
        });
        service.withPropertyValues("latchkey.login.refresh.enabled=false", "latchkey.login.logins.record-address=false")
                .run(context ->
                        change(Services.mvc(context), "list-logins", ALICE).andExpect(status().isBadRequest()));
    }

    private static String login(MockMvc mvc) throws Exception {
        return Services.tokenFrom(tryLogin(mvc).andExpect(status().isOk()));
    }

    private static String login(MockMvc mvc, String device) throws Exception {
        return Services.tokenFrom(mvc.perform(post("/auth/token")
                .header("X-Device", device)
                .contentType("application/json")
                .content(Services.LOGIN)));
    }

    private static ResultActions tryLogin(MockMvc mvc) throws Exception {
        return mvc.perform(post("/auth/token").contentType("application/json").content(Services.LOGIN));
    }

    private static ResultActions hello(MockMvc mvc, String token) throws Exception {
        return mvc.perform(get("/hello").header("Authorization", "Bearer " + token));
    }

    private static String idOfOne(AssertableWebApplicationContext context) {
        return context.getBean(LoginStore.class).ofOwner(OWNER).get(0).id();
    }

    private static List<AuditEvent> audited(AssertableWebApplicationContext context, String type) {
        return context.getBean(AuditEventRepository.class).find(null, null, type);
    }

    private static ResultActions change(MockMvc mvc, String what, String body) throws Exception {
        return mvc.perform(post("/actuator/latchkey" + (what.equals("list-logins") ? "logins" : "logout"))
                .with(httpBasic("alice", Services.PASSWORD))
                .with(csrf())
                .contentType("application/json")
                .content(body));
    }
}
