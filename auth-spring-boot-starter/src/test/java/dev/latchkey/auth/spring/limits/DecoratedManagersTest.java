package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.ReactiveRefusals;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.login.LoginParts;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import dev.latchkey.auth.spring.plugin.ReactiveLatchkeyPasswords;
import dev.latchkey.auth.spring.plugin.TestUsers;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.MessageSource;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.context.support.StaticMessageSource;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.DefaultAuthenticationEventPublisher;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UserDetailsRepositoryReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.HandlerMethod;
import reactor.core.publisher.Mono;

/** Managers as the limits and the second steps decorate them, by their declarations. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class DecoratedManagersTest {

    private static final Authentication GIVEN = UsernamePasswordAuthenticationToken.unauthenticated("ann", "right");
    private static final Authentication LOGIN =
            UsernamePasswordAuthenticationToken.authenticated("ann", null, List.of());
    private static final Duration LONG = Duration.ofSeconds(20);

    private final GuardTime time = GuardTime.start();
    private final LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @AfterEach
    void stop() {
        time.close();
    }

    private static final class Provider implements AuthenticationProvider {

        @Override
        public Authentication authenticate(Authentication given) {
            return LOGIN;
        }

        @Override
        public boolean supports(Class<?> kind) {
            return true;
        }
    }

    /** Declared as this type. */
    private Object processed(Object manager, Class<?> declared) {
        beans.registerSingleton("limits", limits);
        beans.registerSingleton("logins", new LoginLimitGate(limits, WaitingThreads.atMost(1), CurrentRequest::source));
        RootBeanDefinition definition = new RootBeanDefinition(declared);
        definition.setTargetType(declared);
        beans.registerBeanDefinition("manager", definition);
        return manager instanceof AuthenticationManager
                ? servlets().postProcessAfterInitialization(manager, "manager")
                : webFlux().postProcessAfterInitialization(manager, "manager");
    }

    private LoginPostProcessor servlets() {
        return new LoginPostProcessor(
                beans,
                beans.getBeanProvider(LoginLimitGate.class),
                ManagersByClassTest.noSteps(),
                beans.getBeanProvider(SecurityContextHolderStrategy.class));
    }

    private ReactiveLoginPostProcessor webFlux() {
        return new ReactiveLoginPostProcessor(
                beans,
                () -> {
                    throw new AssertionError("No manager was replaced");
                },
                ManagersByClassTest.noSteps());
    }

    @Test
    void managerOfSpring_isStillOne_andIsLimited() {
        ProviderManager manager = new ProviderManager(new Provider());
        Object decorated = processed(manager, ProviderManager.class);
        assertThat(decorated).isInstanceOf(DecoratedProviders.class).hasToString("Decorated " + manager);
        assertThat(((AuthenticationManager) decorated).authenticate(GIVEN)).isNotNull();
        assertThat(limits.stats().admitted()).isEqualTo(1);
    }

    @Test
    void settingsOfADecoratedManager_areThoseOfTheManager() {
        AtomicReference<MessageSource> told = new AtomicReference<>();
        AtomicReference<AuthenticationEventPublisher> publisher = new AtomicReference<>();
        ProviderManager manager = new ProviderManager(new Provider()) {
            @Override
            public void setMessageSource(MessageSource source) {
                told.set(source);
            }

            @Override
            public void setAuthenticationEventPublisher(AuthenticationEventPublisher given) {
                publisher.set(given);
            }
        };
        DecoratedProviders decorated = new DecoratedProviders(manager, given -> LOGIN);
        assertThat(decorated.authenticate(GIVEN)).isSameAs(LOGIN);
        assertThat(decorated.getProviders()).isEqualTo(manager.getProviders()).isNotEmpty();
        MessageSource source = new StaticMessageSource();
        decorated.setMessageSource(source);
        assertThat(told.get()).isSameAs(source);
        assertThat(decorated.isEraseCredentialsAfterAuthentication()).isTrue();
        decorated.setEraseCredentialsAfterAuthentication(false);
        assertThat(manager.isEraseCredentialsAfterAuthentication()).isFalse();
        assertThat(decorated.isEraseCredentialsAfterAuthentication()).isFalse();
        AuthenticationEventPublisher given = new DefaultAuthenticationEventPublisher();
        decorated.setAuthenticationEventPublisher(given);
        assertThat(publisher.get()).isSameAs(given);
    }

    @Test
    void managerThatIsDeclaredAsAnInterface_isReplaced_once() {
        AuthenticationManager decorated =
                (AuthenticationManager) processed((AuthenticationManager) given -> LOGIN, AuthenticationManager.class);
        assertThat(decorated).isInstanceOf(PasswordLogins.class);
        decorated.authenticate(GIVEN);
        assertThat(limits.stats().admitted()).isEqualTo(1);
        assertThat(servlets().postProcessAfterInitialization(decorated, "manager"))
                .isSameAs(decorated);
        DecoratedProviders providers = new DecoratedProviders(new ProviderManager(new Provider()), given -> LOGIN);
        assertThat(servlets().postProcessAfterInitialization(providers, "manager"))
                .isSameAs(providers);
        assertThat(servlets().postProcessAfterInitialization("no manager", "manager"))
                .isEqualTo("no manager");
    }

    @Test
    void reactiveManagerThatIsDeclaredAsAnInterface_isReplaced_once() {
        ReactiveAuthenticationManager manager = given -> Mono.just(LOGIN);
        ReactiveAuthenticationManager decorated =
                (ReactiveAuthenticationManager) processed(manager, ReactiveAuthenticationManager.class);
        assertThat(decorated).isInstanceOf(ReactiveLimitedPasswords.class);
        assertThat(decorated.authenticate(GIVEN).block(LONG)).isSameAs(LOGIN);
        assertThat(limits.stats().admitted()).isEqualTo(1);
        assertThat(webFlux().postProcessAfterInitialization(decorated, "manager"))
                .isSameAs(decorated);
        ReactiveCompletePasswords complete =
                new ReactiveCompletePasswords(manager, ManagersByClassTest.noSteps(), () -> null);
        assertThat(webFlux().postProcessAfterInitialization(complete, "manager"))
                .isSameAs(complete);
        assertThat(webFlux().postProcessAfterInitialization("no manager", "manager"))
                .isEqualTo("no manager");
    }

    /** Tells the interface, or its class. */
    private record Factory(ReactiveAuthenticationManager manager, Class<?> type)
            implements FactoryBean<ReactiveAuthenticationManager> {

        @Override
        public ReactiveAuthenticationManager getObject() {
            return manager;
        }

        @Override
        public Class<?> getObjectType() {
            return type;
        }
    }

    @Test
    void managerOfAFactory_isDeclaredAsTheTypeThatTheFactoryTells() {
        beans.registerSingleton("limits", limits);
        beans.addBeanPostProcessor(webFlux());
        register(
                "byInterface",
                FactoryBean.class,
                new Factory(given -> Mono.just(LOGIN), ReactiveAuthenticationManager.class));
        register("byClass", FactoryBean.class, new Factory(new ByClass(), ByClass.class));
        register(
                "ofAClass", Factory.class, new Factory(given -> Mono.just(LOGIN), ReactiveAuthenticationManager.class));
        for (String name : List.of("byInterface", "byClass", "ofAClass")) {
            assertThat(beans.getBean(name, ReactiveAuthenticationManager.class)
                            .authenticate(GIVEN)
                            .block(LONG))
                    .isSameAs(LOGIN);
        }
        assertThat(beans.getBean("byClass")).isInstanceOf(ByClass.class);
        assertThat(limits.stats().admitted()).isEqualTo(3);
    }

    private void register(String name, Class<?> declared, Factory factory) {
        RootBeanDefinition definition = new RootBeanDefinition();
        definition.setTargetType(declared);
        definition.setInstanceSupplier(() -> factory);
        beans.registerBeanDefinition(name, definition);
    }

    @Test
    void reactiveManagerWithoutLimits_hasSecondStepsAlone() {
        RootBeanDefinition definition = new RootBeanDefinition(ReactiveAuthenticationManager.class);
        beans.registerBeanDefinition("manager", definition);
        ReactiveAuthenticationManager manager = given -> Mono.just(LOGIN);
        assertThat(webFlux().postProcessAfterInitialization(manager, "manager"))
                .isInstanceOf(ReactiveCompletePasswords.class);
    }

    static class ByClass implements ReactiveAuthenticationManager {

        @Override
        public Mono<Authentication> authenticate(Authentication given) {
            return Mono.just(LOGIN);
        }
    }

    static class WithFinalMethod implements ReactiveAuthenticationManager {

        @Override
        public final Mono<Authentication> authenticate(Authentication given) {
            return Mono.just(LOGIN);
        }
    }

    @Test
    void reactiveManagerThatIsDeclaredByItsClass_isOneOfTheClass_andLimited() {
        ByClass decorated = (ByClass) processed(new ByClass(), ByClass.class);
        assertThat(decorated.authenticate(GIVEN).block(LONG)).isSameAs(LOGIN);
        assertThat(limits.stats().admitted()).isEqualTo(1);
    }

    private static ReactiveAuthenticationManager asSpringProcesses(
            ReactiveAuthenticationManager manager, ReactiveLoginPostProcessor processor) {
        ObjectPostProcessor<ReactiveAuthenticationManager> ofSpring = new ObjectPostProcessor<>() {
            @Override
            public <O extends ReactiveAuthenticationManager> O postProcess(O given) {
                return given;
            }
        };
        @SuppressWarnings("unchecked") // The bean of this name processes managers.
        ObjectPostProcessor<ReactiveAuthenticationManager> decorated =
                (ObjectPostProcessor<ReactiveAuthenticationManager>)
                        processor.postProcessAfterInitialization(ofSpring, ReactiveLoginPostProcessor.OF_SPRING);
        return decorated.postProcess(manager);
    }

    @Test
    void managerOfSpringForAccounts_isReplaced_andEachOtherIsDecorated(CapturedOutput log) {
        List<String> asked = new ArrayList<>();
        ReactiveLoginPostProcessor processor = new ReactiveLoginPostProcessor(
                beans,
                () -> {
                    asked.add("asked");
                    return new ReactiveServiceAccounts(
                            name -> Mono.empty(),
                            TestLoginEncoders.around(new BCryptPasswordEncoder(4)),
                            new ReactiveHashing(null),
                            null,
                            null,
                            null);
                },
                ManagersByClassTest.noSteps());
        ReactiveAuthenticationManager accounts =
                new UserDetailsRepositoryReactiveAuthenticationManager(name -> Mono.empty());
        assertThat(asSpringProcesses(accounts, processor))
                .isInstanceOfSatisfying(
                        ReactiveCompletePasswords.class,
                        complete -> assertThat(complete.manager()).isInstanceOf(ReactiveServiceAccounts.class));
        assertThat(asked).hasSize(1);
        assertThat(log).contains("WebFlux logins are not cached");
        ReactiveAuthenticationManager own = given -> Mono.just(LOGIN);
        ReactiveAuthenticationManager decorated = asSpringProcesses(own, processor);
        assertThat(decorated)
                .isInstanceOfSatisfying(
                        ReactiveCompletePasswords.class,
                        complete -> assertThat(complete.manager()).isSameAs(own));
        assertThat(asSpringProcesses(decorated, processor)).isSameAs(decorated);
        assertThat(asked).hasSize(1);
    }

    @Test
    void managerOfSpringForAccounts_asksThePlugins_ifTheyHaveTheAccountsToo(CapturedOutput log) {
        try (ReactiveWork work = new ReactiveWork()) {
            AuthChain plugins = AuthChain.of(
                    TestUsers.of(name -> null, TestLoginEncoders.around(new BCryptPasswordEncoder(4)), null),
                    new Source());
            beans.registerSingleton(
                    "passwords", new ReactiveLatchkeyPasswords(plugins, work, LoginParts.propertiesOf(), null, beans));
            ReactiveAuthenticationManager decorated = asSpringProcesses(
                    new UserDetailsRepositoryReactiveAuthenticationManager(name -> Mono.empty()), webFlux());
            assertThat(((ReactiveCompletePasswords) decorated).manager()).isNotNull();
        }
        assertThat(log).contains("WebFlux logins ask the auth plugins [directory] as well");
    }

    @Test
    void managerOfSpringForAccounts_asksNoPlugins_ifTheSettingsSaySo(CapturedOutput log) {
        try (ReactiveWork work = new ReactiveWork()) {
            AuthChain plugins = AuthChain.of(new Source());
            beans.registerSingleton(
                    "passwords",
                    new ReactiveLatchkeyPasswords(
                            plugins,
                            work,
                            LoginParts.propertiesOf("latchkey.authentication-manager.enabled=false"),
                            null,
                            beans));
            assertThatThrownBy(() -> asSpringProcesses(
                            new UserDetailsRepositoryReactiveAuthenticationManager(name -> Mono.empty()), webFlux()))
                    .isInstanceOf(AssertionError.class);
        }
        assertThat(log).contains("ask the service's accounts and not the auth plugins [directory]");
    }

    private static final class Source implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "directory";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return Decision.abstained();
        }
    }

    @Test
    void reactiveManagerWithAFinalMethod_isLeftAlone_andTheLogSaysSo(CapturedOutput log) {
        WithFinalMethod manager = new WithFinalMethod();
        assertThat(processed(manager, WithFinalMethod.class)).isSameAs(manager);
        assertThat(log).contains("do not hold for 'manager'", "declare the bean as ReactiveAuthenticationManager");
    }

    @Test
    void refusalOfWebFlux_isAnswered_andOtherErrorsAreTheServices() {
        ReactiveRefusalFilter filter =
                new ReactiveRefusalFilter(null, RequestContexts.of(null), new ReactiveRefusals(null));
        MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/hello"));
        filter.filter(exchange, next -> Mono.error(AuthUnavailableException.outage("down")))
                .block(LONG);
        assertThat(exchange.getResponse().getStatusCode()).hasToString("503 SERVICE_UNAVAILABLE");
        IllegalStateException other = new IllegalStateException("other");
        MockServerWebExchange another = MockServerWebExchange.from(MockServerHttpRequest.get("/hello"));
        assertThatThrownBy(
                        () -> filter.filter(another, next -> Mono.error(other)).block(LONG))
                .isSameAs(other);
        assertThat(filter.getOrder()).as("before Spring Security").isLessThan(-100);
    }

    @Test
    void refusalOfWebFluxAfterTheAnswer_isThrownOn() {
        ReactiveRefusalFilter filter =
                new ReactiveRefusalFilter(null, RequestContexts.of(null), new ReactiveRefusals(null));
        MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/hello"));
        exchange.getResponse().setComplete().block(LONG);
        AuthUnavailableException refusal = AuthUnavailableException.outage("down");
        assertThatThrownBy(() ->
                        filter.filter(exchange, next -> Mono.error(refusal)).block(LONG))
                .isSameAs(refusal);
    }

    @Test
    void requestOfWebFlux_isKnownWithinTheFilter() {
        ReactiveRefusalFilter filter =
                new ReactiveRefusalFilter(TrustedProxies.none(), RequestContexts.of(null), new ReactiveRefusals(null));
        List<Object> seen = new ArrayList<>();
        filter.filter(
                        MockServerWebExchange.from(MockServerHttpRequest.get("/hello")
                                .header("X-Device", "phone")
                                .remoteAddress(new InetSocketAddress("192.0.2.7", 1))),
                        next -> Mono.deferContextual(context -> {
                            seen.add(CurrentRequest.contextOf(ReactiveSource.in(context))
                                    .header("X-Device"));
                            seen.add(CurrentRequest.sourceOf(ReactiveSource.in(context))
                                    .toString());
                            seen.add(CurrentRequest.contextOf(ReactiveSource.in(context))
                                    .address());
                            return Mono.empty();
                        }))
                .block(LONG);
        assertThat(seen).first().isEqualTo(List.of("phone"));
        assertThat(seen.get(1)).asString().contains("192.0.2.7");
        assertThat(seen.get(2)).isEqualTo(Optional.of("192.0.2.7"));
    }

    static class Handling {

        @ExceptionHandler
        public void refused(AuthUnavailableException refusal) {}
    }

    static class HandlingByValue {

        @ExceptionHandler(AuthUnavailableException.class)
        public void refused() {}
    }

    static class HandlingAll {

        @ExceptionHandler(RuntimeException.class)
        public void failed() {}
    }

    @ControllerAdvice
    static class Advice extends Handling {}

    @ControllerAdvice
    static class OtherAdvice extends HandlingAll {}

    private static Object resolve(StaticApplicationContext context, Object controller) throws Exception {
        RefusalResolver resolver = new RefusalResolver(context);
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/hello");
        MockHttpServletResponse response = new MockHttpServletResponse();
        List<Object> resolved = new ArrayList<>();
        new RefusalFilter(RequestContexts.of(null)).doFilter(request, response, (asked, answered) -> {
            resolved.add("asked");
            HandlerMethod handler =
                    new HandlerMethod(controller, controller.getClass().getMethods()[0]);
            Object view =
                    resolver.resolveException(request, response, handler, AuthUnavailableException.outage("down"));
            resolved.add(String.valueOf(view));
        });
        return resolved.size() == 2 ? "left to the service" : "answered with " + response.getStatus();
    }

    @Test
    void controllerThatNamesRefusals_handlesThem_andOneThatHandlesAllDoesNot() throws Exception {
        StaticApplicationContext context = new StaticApplicationContext();
        context.refresh();
        assertThat(resolve(context, new Handling())).isEqualTo("left to the service");
        assertThat(resolve(context, new HandlingByValue())).isEqualTo("left to the service");
        assertThat(resolve(context, new HandlingAll())).isEqualTo("answered with 503");
        assertThat(resolve(context, new Object())).isEqualTo("answered with 503");
    }

    @Test
    void adviceThatHandlesAll_getsNoRefusals() throws Exception {
        StaticApplicationContext context = new StaticApplicationContext();
        context.registerSingleton("advice", OtherAdvice.class);
        context.refresh();
        assertThat(resolve(context, new Object())).isEqualTo("answered with 503");
    }

    @Test
    void adviceThatNamesRefusals_handlesThoseOfAllControllers() throws Exception {
        StaticApplicationContext context = new StaticApplicationContext();
        context.registerSingleton("advice", Advice.class);
        context.refresh();
        assertThat(resolve(context, new Object())).isEqualTo("left to the service");
        assertThat(new RefusalResolver(context).getOrder()).isEqualTo(Integer.MIN_VALUE);
        assertThat(new RefusalResolver(context)
                        .resolveException(
                                new MockHttpServletRequest(),
                                new MockHttpServletResponse(),
                                null,
                                new IllegalStateException("other")))
                .isNull();
    }
}
