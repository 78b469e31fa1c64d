package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestBuilders.formLogin;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.spring.token.LatchkeyJwtDecoderAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyResourceServerAutoConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.RequestBuilder;

/**
 * Services from before Latchkey, each with its own questions, first without and then with the dependency: equal answers, and
 * fewer hashes.
 */
class ScenariosTest {

    private interface Questions {
        List<String> ask(MockMvc mvc, ApplicationContext context) throws Exception;
    }

    private record Outcome(List<String> answers, int hashes) {}

    /** A back-end that calls another one with HTTP Basic, on a new connection and without a session each time. */
    @Test
    void integrationOverBasic_paysOneHashForAllItsCalls() {
        Questions calls = (mvc, context) -> {
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                answers.add(answer(mvc, get("/orders").with(httpBasic("user7", "password7"))));
            }
            answers.add(answer(mvc, get("/orders").with(httpBasic("user7", "password8"))));
            answers.add(answer(mvc, get("/orders")));
            assertThat(answers).first().asString().startsWith("200 orders of user7");
            assertThat(answers.subList(20, 22)).allMatch(line -> line.startsWith("401"));
            return answers;
        };
        Outcome without = without(
                calls, ScenarioServices.Store.class, ScenarioServices.Orders.class, ScenarioServices.BasicChain.class);
        Outcome with = with(
                calls, ScenarioServices.Store.class, ScenarioServices.Orders.class, ScenarioServices.BasicChain.class);
        assertThat(with.answers()).isEqualTo(without.answers());
        assertThat(without.hashes()).isEqualTo(21);
        assertThat(with.hashes()).isEqualTo(2);
    }

    /** A server with its own token code and decoder: clients log in for a token and send the token with every call. */
    @Test
    void serverWithTokensOfItsOwn_keepsItsDecoder_andItsClientsThatLogInAgainPayNoHash() {
        Outcome without = without(
                this::tokenQuestions,
                ScenarioServices.Store.class,
                ScenarioServices.Orders.class,
                ScenarioServices.TokenServer.class,
                ScenarioServices.OwnDecoder.class);
        Outcome with = with(
                this::tokenQuestions,
                ScenarioServices.Store.class,
                ScenarioServices.Orders.class,
                ScenarioServices.TokenServer.class,
                ScenarioServices.OwnDecoder.class);
        assertThat(with.answers()).isEqualTo(without.answers());
        assertThat(without.hashes()).isEqualTo(3);
        assertThat(with.hashes()).isEqualTo(2);
    }

    /** The same server without its decoder, so Latchkey's decoder uses the server's key. */
    @Test
    void serverWithTokensOfItsOwn_answersTheSameOnLatchkeysDecoder() {
        Outcome before = without(
                this::tokenQuestions,
                ScenarioServices.Store.class,
                ScenarioServices.Orders.class,
                ScenarioServices.TokenServer.class,
                ScenarioServices.OwnDecoder.class);
        Outcome after = with(
                this::tokenQuestions,
                ScenarioServices.Store.class,
                ScenarioServices.Orders.class,
                ScenarioServices.TokenServer.class);
        assertThat(after.answers()).isEqualTo(before.answers());
    }

    /** A web application with a form, sessions and a page for new accounts; everybody comes once. */
    @Test
    void webApplicationWithAForm_answersTheSame() {
        Questions visit = (mvc, context) -> {
            List<String> answers = new ArrayList<>();
            answers.add(answer(
                    mvc, post("/register").with(csrf()).param("name", "neu").param("password", "Grüße")));
            MockHttpSession session = new MockHttpSession();
            answers.add(answer(mvc, get("/orders").session(session).accept("text/html")));
            answers.add(answer(mvc, formLogin().user("neu").password("Grüße")));
            answers.add(answer(mvc, formLogin().user("neu").password("Gruesse")));
            answers.add(answer(mvc, formLogin().user("nobody").password("Grüße")));
            answers.add(answer(mvc, post("/login").param("username", "neu").param("password", "Grüße")));
            var login = mvc.perform(post("/login")
                            .with(csrf())
                            .session(session)
                            .param("username", "user1")
                            .param("password", "password1"))
                    .andReturn();
            answers.add(described(login.getResponse()));
            answers.add(answer(mvc, get("/orders").session((MockHttpSession)
                    login.getRequest().getSession())));
            assertThat(answers.get(2)).contains("302").doesNotContain("error");
            assertThat(answers.get(3)).contains("login?error");
            assertThat(answers.get(5)).startsWith("403");
            assertThat(answers).last().asString().startsWith("200 orders of user1");
            return answers;
        };
        Outcome without = without(
                visit, ScenarioServices.Store.class, ScenarioServices.Orders.class, ScenarioServices.FormChain.class);
        Outcome with = with(
                visit, ScenarioServices.Store.class, ScenarioServices.Orders.class, ScenarioServices.FormChain.class);
        assertThat(with.answers()).isEqualTo(without.answers());
        assertThat(with.hashes()).isEqualTo(without.hashes());
    }

    /** A login endpoint of the service's own over a large table of users, and a read of the profile right after. */
    @Test
    void loginEndpointOverManyUsers_paysOneHashForLoginAndRead() {
        int users = 40;
        Questions logins = (mvc, context) -> {
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < users; i++) {
                answers.add(answer(
                        mvc,
                        post("/sessions")
                                .contentType("application/json")
                                .content("{\"name\":\"user%d\",\"password\":\"password%d\"}".formatted(i, i))));
                answers.add(answer(mvc, get("/orders").with(httpBasic("user" + i, "password" + i))));
            }
            answers.add(answer(
                    mvc,
                    post("/sessions")
                            .contentType("application/json")
                            .content("{\"name\":\"user1\",\"password\":\"x\"}")));
            context.getBean(ScenarioServices.Store.class)
                    .hashes
                    .put("user1", ScenarioServices.Store.BCRYPT.encode("changed"));
            answers.add(answer(mvc, get("/orders").with(httpBasic("user1", "password1"))));
            answers.add(answer(mvc, get("/orders").with(httpBasic("user1", "changed"))));
            assertThat(answers.subList(0, 2 * users)).allMatch(line -> line.startsWith("200"));
            assertThat(answers.get(2 * users)).startsWith("401");
            assertThat(answers.get(2 * users + 1)).as("a changed password").startsWith("401");
            assertThat(answers.get(2 * users + 2)).startsWith("200");
            return answers;
        };
        Outcome without = without(
                logins,
                ScenarioServices.Store.class,
                ScenarioServices.Orders.class,
                ScenarioServices.BasicChain.class,
                ScenarioServices.Sessions.class);
        Outcome with = with(
                logins,
                ScenarioServices.Store.class,
                ScenarioServices.Orders.class,
                ScenarioServices.BasicChain.class,
                ScenarioServices.Sessions.class);
        assertThat(with.answers()).isEqualTo(without.answers());
        assertThat(without.hashes()).isEqualTo(2 * users + 3);
        assertThat(with.hashes()).isEqualTo(users + 3);
    }

    private List<String> tokenQuestions(MockMvc mvc, ApplicationContext context) throws Exception {
        List<String> answers = new ArrayList<>();
        String login = "{\"name\":\"user3\",\"password\":\"password3\"}";
        answers.add(answer(mvc, post("/tokens").contentType("application/json").content(login)));
        String token = mvc.perform(
                        post("/tokens").contentType("application/json").content(login))
                .andReturn()
                .getResponse()
                .getContentAsString();
        answers.set(0, answers.get(0).startsWith("200") ? "a token" : answers.get(0));
        answers.add(answer(
                mvc,
                post("/tokens").contentType("application/json").content("{\"name\":\"user3\",\"password\":\"x\"}")));
        for (int i = 0; i < 5; i++) {
            answers.add(answer(mvc, get("/orders").header("Authorization", "Bearer " + token)));
        }
        int status = mvc.perform(get("/orders").header("Authorization", "Bearer " + token + "x"))
                .andReturn()
                .getResponse()
                .getStatus();
        answers.add("tampered: " + status);
        answers.add(answer(mvc, get("/orders")));
        assertThat(answers.subList(2, 7)).allMatch(line -> line.startsWith("200 orders of user3"));
        assertThat(answers).contains("a token", "tampered: 401");
        return answers;
    }

    private static Outcome without(Questions questions, Class<?>... service) {
        return outcome(Services.boot().withUserConfiguration(service), questions);
    }

    private static Outcome with(Questions questions, Class<?>... service) {
        return outcome(
                Services.web()
                        .withConfiguration(AutoConfigurations.of(
                                LatchkeyResourceServerAutoConfiguration.class,
                                LatchkeyJwtDecoderAutoConfiguration.class))
                        .withBean(
                                CredentialCache.class,
                                () -> CredentialCache.with(
                                        CredentialCacheSettings.defaults().withFastLoad(Duration.ZERO)))
                        .withPropertyValues("latchkey.jwt.secret=" + Services.KEY)
                        .withUserConfiguration(service),
                questions);
    }

    private static Outcome outcome(WebApplicationContextRunner service, Questions questions) {
        List<Outcome> outcomes = new ArrayList<>();
        service.run(context -> {
            List<String> answers = questions.ask(Services.mvc(context), context);
            outcomes.add(new Outcome(
                    answers,
                    context.getBean(ScenarioServices.Store.class).checked.get()));
        });
        return outcomes.get(0);
    }

    private static String answer(MockMvc mvc, RequestBuilder request) throws Exception {
        return described(mvc.perform(request).andReturn().getResponse());
    }

    private static String described(MockHttpServletResponse response) throws Exception {
        return response.getStatus() + " " + response.getContentAsString() + " "
                + response.getHeaderNames().stream()
                        .map(name -> name + "=" + response.getHeaders(name))
                        .sorted()
                        .toList();
    }
}
