package dev.latchkey.examples.quickstart;

import static dev.latchkey.auth.test.LatchkeyAssertions.assertThatProblem;
import static dev.latchkey.auth.test.MockMvcToken.latchkey;
import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.springframework.http.MediaType.APPLICATION_JSON;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.test.AutoConfigureLatchkeyTest;
import dev.latchkey.auth.test.MockMvcToken;
import dev.latchkey.auth.test.TestClock;
import dev.latchkey.auth.test.TestTokens;
import dev.latchkey.auth.test.WithLatchkeySubject;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.test.web.servlet.ResultMatcher;
import org.springframework.transaction.support.TransactionTemplate;

/** The rules of the service in its own context: no login is needed for a test. */
@SpringBootTest(
        properties = {
            "quickstart.signing-key=target/test-keys/signing.key",
            "quickstart.codes-key=target/test-keys/codes.key",
            "quickstart.passkeys-key=target/test-keys/passkeys.key",
            "spring.datasource.url=jdbc:h2:mem:rules"
        })
@AutoConfigureMockMvc
@AutoConfigureLatchkeyTest
@Tag("long")
class QuickstartRulesTest {

    @Autowired
    MockMvc mvc;

    @Autowired
    TestTokens tokens;

    @Autowired
    TestClock clock;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    TransactionTemplate transactions;

    @Test
    void tokenWhoseTimeIsOver_isRefused() throws Exception {
        MockMvcToken token = latchkey().token(tokens.latchkey().subject("alice").text());
        clock.advance(Duration.ofHours(1).minusSeconds(1));
        mvc.perform(get("/api/me").with(token)).andExpect(status().isOk());
        clock.advance(Duration.ofSeconds(1));
        assertThatProblem(mvc.perform(get("/api/me").with(token)).andReturn()).refusesTheToken();
    }

    @Test
    void tokenThatWasRevokedOrForged_isRefused() throws Exception {
        MockMvcToken alice = latchkey().subject("alice").authorities("ROLE_USER");
        mvc.perform(get("/api/me").with(alice)).andExpect(status().isOk());
        assertThatProblem(mvc.perform(get("/api/me").with(alice.revoked())).andReturn())
                .refusesTheToken();
        assertThatProblem(mvc.perform(get("/api/me").with(alice.signedByAnotherKey()))
                        .andReturn())
                .refusesTheToken();
    }

    @Test
    void notes_areForWhomThePermissionsName() throws Exception {
        MockMvcToken user = latchkey().authorities("ROLE_USER");
        mvc.perform(get("/api/notes/alice").with(user.subject("alice")))
                .andExpect(status().isOk())
                .andExpect(note("Six impossible things"));
        mvc.perform(get("/api/notes/dave").with(user.subject("alice"))).andExpect(status().isForbidden());
        mvc.perform(get("/api/notes/alice").with(user.subject("admin"))).andExpect(status().isForbidden());
    }

    @Test
    @WithLatchkeySubject(value = "admin", authorities = "ROLE_USER")
    void noteOfWhoHasNone_isNotFound() throws Exception {
        mvc.perform(get("/api/notes/admin")).andExpect(status().isNotFound());
    }

    @Test
    void deletionOfANote_hasNoRule_andIsForbidden() throws Exception {
        mvc.perform(delete("/api/notes/alice").with(latchkey().subject("alice").authorities("ROLE_USER")))
                .andExpect(status().isForbidden());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"text\": null}", "null", "{\"text\": \"%s\"}", "{\"text\": [1]}", ""})
    void noteThatTheColumnCannotHold_isABadRequest(String body) throws Exception {
        mvc.perform(put("/api/notes/alice")
                        .with(latchkey().subject("alice").authorities("ROLE_USER"))
                        .contentType(APPLICATION_JSON)
                        .content(body.formatted("x".repeat(1001))))
                .andExpect(status().isBadRequest());
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "\"fourteen chars\"", "\"ää ää ää ää ää ää ää ää ää ää ää ää ää ää ää\""})
    void newPasswordThatIsTooShortOrTooLong_isRefused(String password) throws Exception {
        mvc.perform(put("/api/me/password")
                        .with(latchkey().subject("alice").authorities("ROLE_USER"))
                        .contentType(APPLICATION_JSON)
                        .content("{\"oldPassword\": \"wonderland-tea-party\", \"newPassword\": " + password + "}"))
                .andExpect(status().isUnprocessableContent());
    }

    @Test
    void guessesOfTheOldPassword_haveTheLimitsOfALogin() throws Exception {
        for (int i = 0; i < 5; i++) {
            mvc.perform(passwordChange("carol", "\"a-guess-%d\"".formatted(i), "{}"))
                    .andExpect(status().isForbidden());
        }
        mvc.perform(passwordChange("carol", "\"a-carol-for-every-season\"", "{}"))
                .andExpect(status().isTooManyRequests());
    }

    @Test
    void enrolledAccount_changesItsPasswordWithACodeAlone() throws Exception {
        String secret = enrolled("bob", "can-we-fix-it-yes-we-can");
        mvc.perform(passwordChange("bob", "\"can-we-fix-it-yes-we-can\"", "{}")).andExpect(status().isForbidden());
        mvc.perform(passwordChange(
                        "bob", "\"can-we-fix-it-yes-we-can\"", "{\"code\": \"%s\"}".formatted(Phone.code(secret, 1))))
                .andExpect(status().isNoContent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "\"\\ud800\"", "[1]"})
    void oldPasswordThatIsNone_isABadRequest(String password) throws Exception {
        mvc.perform(passwordChange("alice", password, "{}")).andExpect(status().isBadRequest());
    }

    @Test
    void disabledAccount_keepsThePasswordOfAChangeMeanwhile() throws Exception {
        jdbc.sql("insert into users (username, password, enabled) values ('eve', 'before', true)")
                .update();
        jdbc.sql("insert into authorities (username, authority) values ('eve', 'ROLE_USER')")
                .update();
        CompletableFuture<Integer> disabled = new CompletableFuture<>();
        transactions.executeWithoutResult(change -> {
            jdbc.sql("update users set password = 'after' where username = 'eve'")
                    .update();
            disabled.completeAsync(() -> statusOf(post("/api/admin/accounts/eve/disable")
                    .with(latchkey().subject("admin").authorities("ROLE_ADMIN"))));
            until(() -> jdbc.sql("select count(*) from information_schema.sessions where blocker_id is not null")
                            .query(Integer.class)
                            .single()
                    > 0);
        });
        assertThat(disabled).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(204);
        assertThat(jdbc.sql("select password, enabled from users where username = 'eve'")
                        .query()
                        .singleRow())
                .containsEntry("password", "after")
                .containsEntry("enabled", false);
    }

    @Test
    void accountThatIsUnknown_cannotBeDisabled() throws Exception {
        mvc.perform(post("/api/admin/accounts/nobody/disable")
                        .with(latchkey().subject("admin").authorities("ROLE_ADMIN")))
                .andExpect(status().isNotFound());
    }

    /** A browser sends the kept name and password with the form of another site too. */
    @Test
    void formOfAnotherSite_withHttpBasic_changesNothing() throws Exception {
        mvc.perform(post("/api/admin/accounts/alice/disable").with(httpBasic("admin", "keeper-of-the-latchkeys")))
                .andExpect(status().isForbidden());
        mvc.perform(get("/api/me").with(httpBasic("alice", "wonderland-tea-party")))
                .andExpect(status().isOk());
    }

    @Test
    void challengeForAPasskey_needsNothing() throws Exception {
        mvc.perform(post("/auth/passkeys/challenge")).andExpect(status().isOk());
    }

    @Test
    void noteWithoutAToken_isUnauthorized() throws Exception {
        mvc.perform(get("/api/notes/alice")).andExpect(status().isUnauthorized());
    }

    @Test
    void accounts_areSwitchedOffByAdministratorsAlone_whichEndsTheirTokens() throws Exception {
        MockMvcToken dave = latchkey().token(tokens.latchkey().subject("dave").text());
        mvc.perform(get("/api/me").with(dave)).andExpect(status().isOk());
        mvc.perform(post("/api/admin/accounts/dave/disable").with(dave)).andExpect(status().isForbidden());
        mvc.perform(post("/api/admin/accounts/dave/disable")
                        .with(latchkey().subject("admin").authorities("ROLE_ADMIN")))
                .andExpect(status().isNoContent());
        assertThatProblem(mvc.perform(get("/api/me").with(dave)).andReturn()).refusesTheToken();
    }

    private static RequestBuilder passwordChange(String account, String oldPassword, String responses) {
        return put("/api/me/password")
                .remoteAddress("203.0.113.7")
                .with(latchkey().subject(account).authorities("ROLE_USER"))
                .contentType(APPLICATION_JSON)
                .content("{\"oldPassword\": %s, \"newPassword\": \"long-enough-to-be-taken\", \"responses\": %s}"
                        .formatted(oldPassword, responses));
    }

    /** The secret of the phone. */
    private String enrolled(String account, String password) throws Exception {
        MockMvcToken user = latchkey().subject(account).authorities("ROLE_USER");
        String enrolment = mvc.perform(post("/auth/codes")
                        .with(user)
                        .contentType(APPLICATION_JSON)
                        .content("{\"password\": \"%s\"}".formatted(password)))
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsString();
        Matcher secret = Pattern.compile("\"secret\":\"([A-Z2-7]+)\"").matcher(enrolment);
        assertThat(secret.find()).isTrue();
        mvc.perform(post("/auth/codes/confirm")
                        .with(user)
                        .contentType(APPLICATION_JSON)
                        .content("{\"code\": \"%s\"}".formatted(Phone.code(secret.group(1), 0))))
                .andExpect(status().isOk());
        return secret.group(1);
    }

    private int statusOf(RequestBuilder request) {
        try {
            return mvc.perform(request).andReturn().getResponse().getStatus();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static ResultMatcher note(String text) {
        return content().string(containsString(text));
    }
}
