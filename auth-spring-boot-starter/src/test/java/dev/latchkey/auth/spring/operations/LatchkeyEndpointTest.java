package dev.latchkey.auth.spring.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.Actuators;
import dev.latchkey.auth.spring.Services;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

class LatchkeyEndpointTest {

    private static final String PATH = "/actuator/latchkey";
    private static final String OTHER_KEY = "EjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8=";
    private static final JwtClaims ALICE = JwtClaims.forSubject("alice", Duration.ofMinutes(1));
    private static final String[] UNRESTRICTED = {
        "management.endpoint.latchkeycaches.access=UNRESTRICTED", "management.endpoint.latchkeykeys.access=UNRESTRICTED"
    };

    private final WebApplicationContextRunner service = Actuators.web()
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY)
            .withBean(AuditEventRepository.class, InMemoryAuditEventRepository::new);

    @Test
    void status_showsWhatThereIsAndNoSecret() {
        service.run(mvc((context, mvc) -> {
            mvc.perform(get("/hello").with(httpBasic("alice", Services.PASSWORD)));
            mvc.perform(get(PATH).with(httpBasic("alice", Services.PASSWORD)))
                    .andExpect(status().isOk())
                    .andExpect(content().string(containsString("\"algorithm\":\"HS256\",\"signs\":true")))
                    .andExpect(content().string(containsString("\"size\":1,\"maximumSize\":10000,")))
                    .andExpect(content().string(not(containsString(Services.KEY))))
                    .andExpect(content().string(not(containsString("alice"))))
                    .andExpect(content().string(not(containsString("$2a$"))));
        }));
    }

    @Test
    void keyOfSeveralFiles_isShownOnce(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("jwt.key"), Services.KEY);
        Path same = Files.writeString(folder.resolve("next.key"), Services.KEY);
        Path other = Files.writeString(folder.resolve("other.key"), OTHER_KEY);
        withKeyFile(file)
                .withPropertyValues("latchkey.jwt.verifying-secret-files=" + same + "," + other + "," + other)
                .run(
                        mvc(
                                (context, mvc) -> mvc.perform(get(PATH).with(httpBasic("alice", Services.PASSWORD)))
                                        .andExpect(
                                                content()
                                                        .string(
                                                                matchesPattern(
                                                                        ".*\"keys\":\\[\\{[^}]*\"signs\":true[^}]*},\\{[^}]*\"signs\":false[^}]*}].*")))));
    }

    @Test
    void changes_areRefusedByDefault() {
        service.run(mvc((context, mvc) ->
                change(mvc, "evict", "{\"account\":\"alice\"}").andExpect(status().is4xxClientError())));
    }

    @Test
    void stranger_seesNothing() {
        service.run(mvc((context, mvc) -> mvc.perform(get(PATH)).andExpect(status().isUnauthorized())));
    }

    @Test
    void evict_forgetsOneAccount_andIsAudited() {
        service.withPropertyValues(UNRESTRICTED).run(mvc((context, mvc) -> {
            mvc.perform(get("/hello").with(httpBasic("alice", Services.PASSWORD)));
            change(mvc, "evict", "{\"account\":\"alice\"}")
                    .andExpect(status().isOk())
                    .andExpect(content().string(containsString("\"entries\":1")));
            assertThat(context.getBean(CredentialCache.class).stats().size()).isZero();
            assertThat(lastAudit(context).getPrincipal()).isEqualTo("alice");
            assertThat(lastAudit(context).getData())
                    .containsEntry("change", "evict")
                    .containsEntry("entries", 1);
        }));
    }

    @Test
    void evictOfAnUnknownAccount_findsNothing() {
        service.withPropertyValues(UNRESTRICTED)
                .run(mvc((context, mvc) -> change(mvc, "evict", "{\"account\":\"nobody\"}")
                        .andExpect(content().string(containsString("\"entries\":0")))));
    }

    @Test
    void rotate_signsWithWhatTheFileHoldsNow_andIsAudited(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("jwt.key"), Services.KEY);
        withKeyFile(file).run(mvc((context, mvc) -> {
            String earlier = context.getBean(JwtSigner.class).sign(ALICE);
            change(mvc, "rotate", "{}").andExpect(content().string("{\"rotation\":\"unchanged\"}"));
            Files.writeString(file, OTHER_KEY);
            change(mvc, "rotate", "{}")
                    .andExpect(status().isOk())
                    .andExpect(content().string("{\"rotation\":\"rotated\"}"));
            assertThat(lastAudit(context).getData())
                    .containsExactlyInAnyOrderEntriesOf(Map.of("change", "rotate", "rotation", "rotated"));
            JwtVerifier others = JwtVerifier.with(HmacKey.ofBase64(OTHER_KEY));
            assertThat(others.verify(context.getBean(JwtSigner.class).sign(ALICE))
                            .verified())
                    .isPresent();
            assertThat(others.verify(earlier).verified()).isEmpty();
            assertThat(context.getBean(JwtVerifier.class).verify(earlier).verified())
                    .isPresent();
        }));
    }

    @Test
    void rotateAndDrop_endsTheTokensOfTheLeakedKeyAtOnce_andIsAudited(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("jwt.key"), Services.KEY);
        withKeyFile(file).run(mvc((context, mvc) -> {
            JwtVerifier verifier = context.getBean(JwtVerifier.class);
            String forged = context.getBean(JwtSigner.class).sign(ALICE);
            change(mvc, "rotate-and-drop", "{}").andExpect(content().string("{\"rotation\":\"unchanged\"}"));
            assertThat(verifier.verify(forged).verified())
                    .as("its key is still in the file")
                    .isPresent();
            Files.writeString(file, OTHER_KEY);
            change(mvc, "rotate", "{}").andExpect(content().string("{\"rotation\":\"rotated\"}"));
            assertThat(verifier.verify(forged).verified()).isPresent();
            change(mvc, "rotate-and-drop", "{}")
                    .andExpect(status().isOk())
                    .andExpect(content().string("{\"rotation\":\"dropped\"}"));
            assertThat(verifier.verify(forged).verified()).isEmpty();
            assertThat(lastAudit(context).getData())
                    .containsExactlyInAnyOrderEntriesOf(Map.of("change", "rotate-and-drop", "rotation", "dropped"));
            assertThat(verifier.verify(context.getBean(JwtSigner.class).sign(ALICE))
                            .verified())
                    .isPresent();
        }));
    }

    @Test
    void rotateToAFileThatIsNoKey_isABadRequest_changesNothing_andSaysNothingOfTheFile(@TempDir Path folder)
            throws Exception {
        Path file = Files.writeString(folder.resolve("jwt.key"), Services.KEY);
        withKeyFile(file).run(mvc((context, mvc) -> {
            Files.writeString(file, "too-short-a-secret");
            change(mvc, "rotate", "{}")
                    .andExpect(status().isBadRequest())
                    .andExpect(content().string(not(containsString("too-short"))))
                    .andExpect(content().string(not(containsString(folder.toString()))));
            assertThat(context.getBean(RotatingKeys.class).version()).isZero();
        }));
    }

    @Test
    void rotateWithoutAKeyFile_isABadRequest() {
        service.withPropertyValues(UNRESTRICTED)
                .run(mvc((context, mvc) -> change(mvc, "rotate", "{}").andExpect(status().isBadRequest())));
    }

    @Test
    void badChanges_areBadRequests() {
        service.withPropertyValues(UNRESTRICTED).run(mvc((context, mvc) -> {
            change(mvc, "evict", "{}").andExpect(status().isBadRequest());
        }));
    }

    private WebApplicationContextRunner withKeyFile(Path file) {
        return Actuators.web()
                .withBean(AuditEventRepository.class, InMemoryAuditEventRepository::new)
                .withPropertyValues(UNRESTRICTED)
                .withPropertyValues("latchkey.jwt.secret=file:" + file, "latchkey.jwt.reload-interval=0");
    }

    private static ResultActions change(MockMvc mvc, String what, String body) throws Exception {
        String path = what.equals("evict") ? "caches" : "keys";
        return mvc.perform((what.equals("rotate-and-drop") ? delete(PATH + path) : post(PATH + path))
                .with(httpBasic("alice", Services.PASSWORD))
                .with(csrf())
                .contentType("application/json")
                .content(body));
    }

    private static AuditEvent lastAudit(AssertableWebApplicationContext context) {
        return context.getBean(AuditEventRepository.class).find(null, null, Operator.AUDIT_TYPE).stream()
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    private static ContextConsumer<AssertableWebApplicationContext> mvc(Requests requests) {
        return context -> requests.with(context, Services.mvc(context));
    }

    @FunctionalInterface
    private interface Requests {

        void with(AssertableWebApplicationContext context, MockMvc mvc) throws Exception;
    }
}
