package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.not;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.MediaType;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** Services with more than one login step: each is mandatory, and each is asked. */
class SeveralStepsTest {

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class)
            .withBean("codes", AuthPlugin.class, StepPlugin::new)
            .withBean("keys", AuthPlugin.class, Signature::new)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true");

    @Test
    void loginEndpoint_wantsEachStepInTurn_andTellsTheParametersOfEach() {
        service.withPropertyValues("latchkey.plugins=users,jwt,codes,keys").run(context -> {
            MockMvc mvc = Services.mvc(context);
            ResultActions first = login(mvc, Services.LOGIN);
            first.andExpect(status().isUnauthorized())
                    .andExpect(content().string(containsString("\"method\":\"otp\"")))
                    .andExpect(content().string(not(containsString("parameters"))));
            ResultActions second = login(
                    mvc, "{\"continuation\":\"%s\",\"code\":\"%s\"}".formatted(continuationOf(first), StepPlugin.CODE));
            second.andExpect(status().isUnauthorized())
                    .andExpect(content().string(containsString("\"method\":\"hwk\"")))
                    .andExpect(
                            content()
                                    .string(
                                            endsWith(
                                                    ",\"parameters\":{\"nonce\":\"a \\\"nonce\\\"\\u000a\",\"timeout\":60,\"keys\":[\"k1\",\"k2\"]}}")));
            login(
                            mvc,
                            "{\"continuation\":\"%s\",\"key\":\"k2\",\"signature\":\"right\"}"
                                    .formatted(continuationOf(second)))
                    .andExpect(status().isOk())
                    .andExpect(content().string(containsString("access_token")));
        });
    }

    @Test
    void wrongResponseToTheSecondStep_endsTheLogin() {
        service.withPropertyValues("latchkey.plugins=users,jwt,codes,keys").run(context -> {
            MockMvc mvc = Services.mvc(context);
            ResultActions second = login(
                    mvc,
                    "{\"continuation\":\"%s\",\"code\":\"%s\"}"
                            .formatted(continuationOf(login(mvc, Services.LOGIN)), StepPlugin.CODE));
            String continuation = continuationOf(second);
            login(mvc, "{\"continuation\":\"%s\",\"key\":\"k2\",\"signature\":\"wrong\"}".formatted(continuation))
                    .andExpect(status().isUnauthorized())
                    .andExpect(content().string(not(containsString("continuation"))));
            login(mvc, "{\"continuation\":\"%s\",\"key\":\"k2\",\"signature\":\"right\"}".formatted(continuation))
                    .andExpect(status().isUnauthorized());
        });
    }

    /** Without refresh tokens, no refresh notices the change later. */
    @Test
    void accountThatChangesBetweenTwoSteps_getsNoToken() {
        service.withPropertyValues("latchkey.plugins=users,jwt,codes,keys").run(context -> {
            MockMvc mvc = Services.mvc(context);
            InMemoryUserDetailsManager accounts = context.getBean(InMemoryUserDetailsManager.class);
            UserDetails before = accounts.loadUserByUsername("alice");
            List<Runnable> changes = List.of(
                    () -> accounts.updateUser(
                            User.withUserDetails(before).password("{noop}other").build()),
                    () -> accounts.updateUser(
                            User.withUserDetails(before).disabled(true).build()),
                    () -> accounts.deleteUser("alice"));
            for (Runnable change : changes) {
                ResultActions second = login(
                        mvc,
                        "{\"continuation\":\"%s\",\"code\":\"%s\"}"
                                .formatted(continuationOf(login(mvc, Services.LOGIN)), StepPlugin.CODE));
                String signature = "{\"continuation\":\"%s\",\"key\":\"k2\",\"signature\":\"right\"}"
                        .formatted(continuationOf(second));
                change.run();
                login(mvc, signature)
                        .andExpect(status().isUnauthorized())
                        .andExpect(content().string(not(containsString("access_token"))));
                accounts.deleteUser("alice");
                accounts.createUser(before);
            }
        });
    }

    @Test
    void httpBasic_isNotEnough_whereAnyStepIsWanted() {
        for (String plugins : List.of("users,jwt,codes", "users,jwt,keys", "users,jwt,codes,keys")) {
            service.withPropertyValues(
                            "latchkey.plugins=" + plugins,
                            "latchkey.unused-steps=" + (plugins.contains("codes") ? "keys" : "codes"))
                    .run(context -> Services.mvc(context)
                            .perform(get("/hello").with(httpBasic("alice", Services.PASSWORD)))
                            .andExpect(status().isUnauthorized()));
        }
    }

    @Test
    void stepThatTheServiceDefines_andDoesNotName_stopsTheStart() {
        service.withPropertyValues("latchkey.plugins=users,jwt,codes")
                .run(context -> assertThat(NestedExceptionUtils.getRootCause(context.getStartupFailure()))
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessageContaining("[keys]")
                        .hasMessageContaining("latchkey.plugins does not name"));
    }

    @Test
    void stepThatIsLeftOutOnPurpose_isNotAsked() {
        service.withPropertyValues("latchkey.plugins=users,jwt", "latchkey.unused-steps=codes,keys")
                .run(context -> login(Services.mvc(context), Services.LOGIN).andExpect(status().isOk()));
    }

    private static ResultActions login(MockMvc mvc, String json) throws Exception {
        return mvc.perform(
                post("/auth/token").contentType(MediaType.APPLICATION_JSON).content(json));
    }

    private static String continuationOf(ResultActions reply) throws Exception {
        String body = reply.andReturn().getResponse().getContentAsString();
        String before = "\"continuation\":\"";
        int start = body.indexOf(before) + before.length();
        return body.substring(start, body.indexOf('"', start));
    }

    /** Wants a signature of each login, with one of two keys. */
    private static final class Signature implements LoginStep {

        @Override
        public String name() {
            return "keys";
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.of(Challenged.by(login, "hwk")
                    .withParameter("nonce", "a \"nonce\"\n")
                    .withParameter("timeout", 60)
                    .withParameter("keys", List.of("k1", "k2")));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            boolean isRight = response.field("key")
                            .filter(key -> key.matches(Secret.of("k2")))
                            .isPresent()
                    && response.field("signature")
                            .filter(signature -> signature.matches(Secret.of("right")))
                            .isPresent();
            return isRight ? Passed.step() : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }
}
