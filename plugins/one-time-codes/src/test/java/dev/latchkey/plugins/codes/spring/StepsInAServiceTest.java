package dev.latchkey.plugins.codes.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestBuilders.formLogin;
import static org.springframework.security.test.web.servlet.setup.SecurityMockMvcConfigurers.springSecurity;

import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.codes.OneTimeCodes;
import dev.latchkey.plugins.codes.Phone;
import dev.latchkey.plugins.codes.PinStep;
import dev.latchkey.plugins.codes.SetClock;
import dev.latchkey.plugins.codes.spring.Client.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

/** A service with one-time codes and a step of its own: both are asked, in Basic, form and endpoint. */
@Tag("long")
class StepsInAServiceTest {

    private static final Duration STEP = Duration.ofSeconds(30);
    private static final String REMEMBERING = "latchkey.plugin.one-time-codes.remember-devices=true";

    private final SetClock clock = SharedService.CLOCK;

    @Configuration(proxyBeanMethods = false)
    static class Forms {

        @Bean
        @Order(1)
        SecurityFilterChain forms(HttpSecurity http) throws Exception {
            return http.securityMatcher("/login")
                    .csrf(AbstractHttpConfigurer::disable)
                    .formLogin(Customizer.withDefaults())
                    .build();
        }
    }

    private static void run(Stack stack, BiConsumer<Client, ApplicationContext> test) {
        if (stack == Stack.SERVLET) {
            Services.shared(Services.servlet(), REMEMBERING)
                    .withUserConfiguration(Forms.class)
                    .withBean(PinStep.class)
                    .run(context -> test.accept(Client.ofServlets(context), context));
        } else {
            Services.shared(Services.webFlux(), REMEMBERING)
                    .withBean(PinStep.class)
                    .run(context -> test.accept(Client.ofWebFlux(context), context));
        }
    }

    private Phone enrol(ApplicationContext context) {
        OneTimeCodes codes = context.getBean(OneTimeCodes.class);
        Phone phone = codes.begin("ada").orElseThrow().key().withText(key -> new Phone(key, clock));
        assertThat(codes.confirm("ada", Secret.of(phone.code()))).isPresent();
        clock.move(STEP);
        return phone;
    }

    /** Answers each requested step. Counts the requests by method. */
    private static Reply logIn(Client client, Reply first, String pin, String code, Map<String, Integer> asked) {
        return logIn(client, Map.of(), first, pin, code, asked);
    }

    private static Reply logIn(
            Client client,
            Map<String, String> headers,
            Reply first,
            String pin,
            String code,
            Map<String, Integer> asked) {
        Reply reply = first;
        while (reply.status() == 401 && reply.body().contains("\"continuation\"")) {
            String method = reply.member("method");
            asked.merge(method, 1, Integer::sum);
            String response = method.equals("pin") ? "\"pin\":\"" + pin : "\"code\":\"" + code;
            reply = client.request(
                    "POST",
                    "/auth/token",
                    headers,
                    "{\"continuation\":\"" + reply.member("continuation") + "\"," + response
                            + "\",\"remember_device\":true}");
        }
        return reply;
    }

    private static String claimsOf(Reply reply) {
        String token = reply.member("access_token");
        String claims = token.substring(token.indexOf('.') + 1, token.lastIndexOf('.'));
        return new String(Base64.getUrlDecoder().decode(claims), StandardCharsets.UTF_8);
    }

    private static String basic(String name) {
        return "Basic " + HttpHeaders.encodeBasicAuth(name, Services.PASSWORD, null);
    }

    @ParameterizedTest
    @EnumSource
    void endpoint_asksForBothSteps_andItsTokenHasWhatBothSay(Stack stack) {
        run(stack, (client, context) -> {
            Phone phone = enrol(context);
            Map<String, Integer> asked = new HashMap<>();
            Reply reply = logIn(client, client.login("ada"), PinStep.RIGHT, phone.code(), asked);
            assertThat(reply.status()).isEqualTo(200);
            assertThat(asked).isEqualTo(Map.of("pin", 1, "otp", 1));
            assertThat(claimsOf(reply))
                    .contains("\"pwd\"", "\"pin\"", "\"hwk\"", "\"otp\"")
                    .contains("\"ROLE_USER\"", "\"ROLE_VAULT\"")
                    .contains("\"branch\":\"Berlin\"");
        });
    }

    @ParameterizedTest
    @EnumSource
    void eitherWrongStep_rejectsTheLogin(Stack stack) {
        run(stack, (client, context) -> {
            Phone phone = enrol(context);
            Map<String, Integer> asked = new HashMap<>();
            assertThat(logIn(client, client.login("ada"), "1357", phone.code(), asked)
                            .status())
                    .isEqualTo(401);
            clock.move(STEP);
            assertThat(logIn(client, client.login("ada"), PinStep.RIGHT, phone.wrongCode(), asked)
                            .status())
                    .isEqualTo(401);
            assertThat(logIn(client, client.login("bob"), "1357", "", asked).status())
                    .isEqualTo(401);
            assertThat(logIn(client, client.login("bob"), PinStep.RIGHT, "", asked)
                            .status())
                    .as("has not enrolled")
                    .isEqualTo(200);
        });
    }

    /** HTTP Basic has no way to ask for a step. */
    @ParameterizedTest
    @EnumSource
    void basic_letsNobodyInByThePassword_whereOneStepIsWantedOrBoth(Stack stack) {
        run(stack, (client, context) -> {
            enrol(context);
            assertThat(client.get(basic("ada")).status()).as("both").isEqualTo(401);
            assertThat(client.get(basic("bob")).status()).as("the PIN").isEqualTo(401);
        });
    }

    /** Each request of the login shows the device, since a step may be asked for after any of them. */
    @ParameterizedTest
    @EnumSource
    void rememberedDevice_isSparedTheCode_andNotThePin(Stack stack) {
        run(stack, (client, context) -> {
            Phone phone = enrol(context);
            Map<String, Integer> asked = new HashMap<>();
            Reply reply = logIn(client, client.login("ada"), PinStep.RIGHT, phone.code(), asked);
            assertThat(reply.status()).isEqualTo(200);
            asked.clear();
            String device = reply.member("device_token");
            Map<String, String> shown = Map.of("Latchkey-Device", device);
            Reply next = logIn(client, shown, client.loginFrom(device, "ada"), PinStep.RIGHT, "", asked);
            assertThat(asked).containsOnlyKeys("pin");
            assertThat(next.status()).isEqualTo(200);
            assertThat(claimsOf(next)).contains("\"pin\"").doesNotContain("\"otp\"");
        });
    }

    @Test
    void form_letsNobodyInByThePassword_whereOneStepIsWantedOrBoth() {
        run(Stack.SERVLET, (client, context) -> {
            enrol(context);
            MockMvc browser = MockMvcBuilders.webAppContextSetup((WebApplicationContext) context)
                    .apply(springSecurity())
                    .build();
            for (String name : new String[] {"ada", "bob"}) {
                try {
                    assertThat(browser.perform(formLogin().user(name).password(Services.PASSWORD))
                                    .andReturn()
                                    .getResponse()
                                    .getRedirectedUrl())
                            .as(name)
                            .isEqualTo("/login?error");
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        });
    }
}
