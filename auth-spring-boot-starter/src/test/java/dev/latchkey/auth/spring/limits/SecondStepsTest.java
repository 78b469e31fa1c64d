package dev.latchkey.auth.spring.limits;

import static dev.latchkey.auth.spring.ReactiveServices.basic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.OwnHolder;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.plugin.SpringAuthenticationPlugin;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.InsufficientAuthenticationException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

/**
 * A second step is asked for wherever an authentication manager decides, for every kind of manager, with and without
 * limits.
 */
@Tag("long")
class SecondStepsTest {

    private static final String NO_CHAIN = "latchkey.authentication-manager.enabled=false";
    private static final String NO_GUARD = "latchkey.guard.enabled=false";
    private static final String NO_LIMITS = "latchkey.guard.limits.enabled=false";

    /** A source has 60 repeats of wrong passwords in a minute. */
    private static final int MORE_THAN_REPEATS = 150;

    private final StepOfAlice codes = new StepOfAlice();
    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(StepServices.Accounts.class)
            .withBean("codes", AuthPlugin.class, () -> codes);

    static Stream<Arguments> ways() {
        return Stream.of(
                Arguments.of(StepServices.Chain.class, ""),
                Arguments.of(StepServices.Chain.class, NO_CHAIN),
                Arguments.of(StepServices.Chain.class, NO_CHAIN + "," + NO_GUARD),
                Arguments.of(StepServices.Chain.class, NO_CHAIN + "," + NO_LIMITS),
                Arguments.of(StepServices.OwnProvider.class, ""),
                Arguments.of(StepServices.OwnProvider.class, NO_GUARD),
                Arguments.of(StepServices.OwnManagerByInterface.class, ""),
                Arguments.of(StepServices.OwnManagerByInterface.class, NO_GUARD),
                Arguments.of(StepServices.OwnManagerByClass.class, ""),
                Arguments.of(StepServices.ManagerThatIsNoBean.class, ""),
                Arguments.of(StepServices.ManagerThatIsNoBean.class, NO_GUARD),
                Arguments.of(StepServices.PersonsByMail.class, ""),
                Arguments.of(StepServices.TokensOfItsOwn.class, ""),
                Arguments.of(StepServices.PluginsAndAProvider.class, ""));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void passwordAlone_letsNobodyInOfWhomAStepIsWanted_andEachLoginIsAskedAboutOnce(Class<?> chain, String properties) {
        service.withUserConfiguration(chain)
                .withPropertyValues(properties.isEmpty() ? new String[0] : properties.split(","))
                .run(context -> {
                    assertThat(basically(context, "bob").getStatus()).isEqualTo(200);
                    assertThat(codes.asked).hasSizeBetween(1, 2).contains("bob").doesNotHaveDuplicates();
                    assertThat(basically(context, "alice").getStatus()).isEqualTo(401);
                    codes.isUp = false;
                    assertThat(basically(context, "alice").getStatus()).isEqualTo(503);
                    assertThat(basically(context, "bob").getStatus()).isEqualTo(503);
                });
    }

    @ParameterizedTest
    @MethodSource("ways")
    void stepForARole_isWantedOfACallerThatHasTheRole(Class<?> chain, String properties) {
        Services.web()
                .withUserConfiguration(StepServices.Accounts.class, chain)
                .withBean("codes", AuthPlugin.class, StepOfUsers::new)
                .withPropertyValues(properties.isEmpty() ? new String[0] : properties.split(","))
                .run(context -> {
                    assertThat(basically(context, "alice").getStatus()).isEqualTo(401);
                    assertThat(form(context, "bob").getRedirectedUrl()).isEqualTo("/login?error");
                });
    }

    @ParameterizedTest
    @MethodSource("ways")
    void form_leavesNothingBehind_withWhichToComeBack(Class<?> chain, String properties) {
        service.withUserConfiguration(chain)
                .withPropertyValues(properties.isEmpty() ? new String[0] : properties.split(","))
                .run(context -> {
                    MockHttpServletResponse alice = form(context, "alice");
                    assertThat(alice.getRedirectedUrl()).isEqualTo("/login?error");
                    assertThat(alice.getCookies()).noneMatch(cookie -> cookie.getMaxAge() > 0);
                    assertThat(form(context, "bob").getRedirectedUrl()).isEqualTo("/");
                });
    }

    @Test
    void rememberedLogin_isThatOfAFormThatWasEnough() {
        service.withUserConfiguration(StepServices.OwnProvider.class).run(context -> {
            assertThat(form(context, "bob").getCookie("remember-me")).isNotNull();
            assertThat(form(context, "alice").getCookies()).noneMatch(cookie -> cookie.getMaxAge() > 0);
        });
    }

    @Test
    void controllerThatAsksSpringsManager_isRefusedToo() {
        service.withUserConfiguration(StepServices.Chain.class)
                .withPropertyValues(NO_CHAIN)
                .run(context -> {
                    AuthenticationManager manager =
                            context.getBean(AuthenticationConfiguration.class).getAuthenticationManager();
                    assertThat(manager.authenticate(login("bob")).isAuthenticated())
                            .isTrue();
                    assertThatExceptionOfType(InsufficientAuthenticationException.class)
                            .isThrownBy(() -> manager.authenticate(login("alice")));
                });
    }

    @Test
    void pluginThatAsksAManager_isAskedForTheStepByTheChain_whichCanAskItsCaller() {
        service.withUserConfiguration(StepServices.OwnManagerByInterface.class)
                .withUserConfiguration(AsksTheManager.class)
                .withPropertyValues(
                        "latchkey.jwt.secret=" + Services.KEY,
                        "latchkey.login.enabled=true",
                        "latchkey.plugins=asks,jwt,codes",
                        "latchkey.shared-subjects=asks")
                .run(context -> {
                    MockHttpServletResponse answer = send(
                            context,
                            post("/auth/token")
                                    .contentType(MediaType.APPLICATION_JSON)
                                    .content(Services.LOGIN));
                    assertThat(answer.getStatus()).isEqualTo(401);
                    assertThat(answer.getContentAsString()).contains("continuation");
                    assertThat(codes.asked).containsExactly("alice");
                });
    }

    /** The owner's client continues to send the password after the enrolment. */
    @Test
    void rightPasswordThatIsRepeated_locksNobodyOutOfThePlaceOfTheOwner() {
        service.withUserConfiguration(StepServices.Chain.class)
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                .run(context -> {
                    for (int i = 0; i < MORE_THAN_REPEATS; i++) {
                        assertThat(basically(context, "alice").getStatus()).isEqualTo(401);
                    }
                    MockHttpServletResponse answer = send(
                            context,
                            post("/auth/token")
                                    .contentType(MediaType.APPLICATION_JSON)
                                    .content(Services.LOGIN));
                    assertThat(answer.getContentAsString()).contains("continuation");
                });
    }

    @Test
    void managerThatHasSeenTheStepItself_isEnough() {
        service.withUserConfiguration(StepServices.CodesOfItsOwn.class).run(context -> {
            assertThat(basically(context, "alice").getStatus()).isEqualTo(200);
            assertThat(codes.asked).contains("alice");
        });
    }

    @Test
    void stepThatWasPassedBefore_isLookedForWhereTheServicesStrategySays() {
        OwnHolder holder = new OwnHolder();
        service.withUserConfiguration(StepServices.OwnManagerByInterface.class)
                .withBean(SecurityContextHolderStrategy.class, () -> holder)
                .run(context -> {
                    AuthenticationManager manager = context.getBean(AuthenticationManager.class);
                    holder.logIn(new TestingAuthenticationToken("alice", null, "FACTOR_OTT"));
                    assertThat(manager.authenticate(login("alice")).isAuthenticated())
                            .isTrue();
                    holder.clearContext();
                    assertThatExceptionOfType(InsufficientAuthenticationException.class)
                            .isThrownBy(() -> manager.authenticate(login("alice")));
                });
    }

    @Test
    void serviceWhosePluginsWantNoSteps_isAskedAboutNobody() {
        Services.web()
                .withUserConfiguration(StepServices.Accounts.class, StepServices.OwnProvider.class)
                .run(context ->
                        assertThat(basically(context, "alice").getStatus()).isEqualTo(200));
    }

    private static Authentication login(String name) {
        return UsernamePasswordAuthenticationToken.unauthenticated(name, Services.PASSWORD);
    }

    private static MockHttpServletResponse basically(ApplicationContext context, String name) throws Exception {
        return send(context, get("/hello").header("Authorization", basic(name, Services.PASSWORD)));
    }

    private static MockHttpServletResponse form(ApplicationContext context, String name) throws Exception {
        return send(context, post("/login").param("username", name).param("password", Services.PASSWORD));
    }

    private static MockHttpServletResponse send(ApplicationContext context, MockHttpServletRequestBuilder request)
            throws Exception {
        return Services.mvc(context).perform(request).andReturn().getResponse();
    }

    static final class AsksTheManager {

        @Bean
        AuthPlugin asks(AuthenticationManager manager) {
            return SpringAuthenticationPlugin.of("asks", manager);
        }
    }
}
