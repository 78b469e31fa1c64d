package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.http.StepsAsked;
import dev.latchkey.auth.spring.login.LoginParts;
import dev.latchkey.auth.spring.login.StepPlugin;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.security.SecurityProperties;
import org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** Names and passwords that Spring Security presents, decided by the plugins, on servlets and on WebFlux. */
class DecidedPasswordsTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final ReactiveWork work = new ReactiveWork();
    private final List<RequestContext> seen = new ArrayList<>();
    private final UserDetailsPlugin users = new UserDetailsPlugin(
            new InMemoryUserDetailsManager(User.withUsername("alice")
                    .password("thgir")
                    .authorities("ROLE_USER")
                    .build()),
            TestLoginEncoders.around(new Reversing()),
            null);

    /** No encoder of Spring Security reads such a hash. */
    private static final class Reversing implements PasswordEncoder {

        @Override
        public String encode(CharSequence password) {
            return new StringBuilder(password).reverse().toString();
        }

        @Override
        public boolean matches(CharSequence password, String stored) {
            return encode(password).equals(stored);
        }
    }

    @AfterEach
    void close() {
        work.close();
    }

    private Authentication onServlets(Authentication presented, AuthPlugin... plugins) {
        return passwords(plugins).provider().authenticate(presented);
    }

    private static LatchkeyPasswords passwords(AuthPlugin... plugins) {
        return new LatchkeyPasswords(AuthChain.of(List.of(plugins)));
    }

    private Authentication onWebFlux(Authentication presented, AuthPlugin... plugins) {
        return reactive(plugins).manager().authenticate(presented).block(LONG);
    }

    private ReactiveLatchkeyPasswords reactive(AuthPlugin... plugins) {
        return new ReactiveLatchkeyPasswords(
                AuthChain.of(List.of(plugins)),
                work,
                LoginParts.propertiesOf(),
                null,
                new DefaultListableBeanFactory());
    }

    /** A remember-me cookie and a token would otherwise be of a password that the login did not have. */
    @Test
    void accountOfALogin_hasTheHashOfTheCheck_whateverTheStoreHasMeanwhile() {
        for (int stack = 0; stack < 2; stack++) {
            AtomicInteger asked = new AtomicInteger();
            UserDetailsPlugin changing = new UserDetailsPlugin(
                    name -> User.withUsername(name)
                            .password(asked.getAndIncrement() == 0 ? "thgir" : "wen")
                            .authorities("ROLE_USER")
                            .build(),
                    TestLoginEncoders.around(new Reversing()),
                    null);
            Authentication given = given("alice", "right");
            Authentication login = stack == 0 ? onServlets(given, changing) : onWebFlux(given, changing);
            assertThat(((UserDetails) login.getPrincipal()).getPassword()).isEqualTo("thgir");
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void accountOfTheService_isItsUserDetails() {
        for (Function<Authentication, Authentication> stack : List.<Function<Authentication, Authentication>>of(
                all -> onServlets(all, users), all -> onWebFlux(all, users))) {
            Authentication login = stack.apply(given("alice", "right"));
            assertThat(login.isAuthenticated()).isTrue();
            assertThat(login.getPrincipal()).isInstanceOf(UserDetails.class);
            assertThat(login.getAuthorities()).extracting(Object::toString).contains("ROLE_USER");
            assertThatThrownBy(() -> stack.apply(given("alice", "wrong")))
                    .isExactlyInstanceOf(BadCredentialsException.class);
            assertThatThrownBy(() -> stack.apply(given("alice", null)))
                    .isExactlyInstanceOf(BadCredentialsException.class)
                    .hasMessage("There is no password");
            assertThatThrownBy(() -> stack.apply(given("alice", "\ud800")))
                    .isExactlyInstanceOf(BadCredentialsException.class);
        }
    }

    /** Boot makes a user with a random password for a service without accounts. */
    @Test
    void accountsOfTheService_areNotThoseThatBootMakesUp() throws NoSuchMethodException {
        assertThat(hasAccounts(null, null)).isFalse();
        assertThat(hasAccounts(DecidedPasswordsTest.class.getDeclaredMethod("ofTheService"), null))
                .isTrue();
        Method ofBoot = UserDetailsServiceAutoConfiguration.class.getDeclaredMethod(
                "inMemoryUserDetailsManager", SecurityProperties.class, ObjectProvider.class);
        assertThat(hasAccounts(ofBoot, null)).isFalse();
        assertThat(hasAccounts(ofBoot, "spring.security.user.name")).isTrue();
        assertThat(hasAccounts(ofBoot, "spring.security.user.password")).isTrue();
        assertThat(hasAccounts(ofBoot, "spring.security.user.roles")).isFalse();
    }

    static InMemoryUserDetailsManager ofTheService() {
        return new InMemoryUserDetailsManager();
    }

    private static boolean hasAccounts(Method factory, String property) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        MockEnvironment environment = new MockEnvironment();
        if (property != null) {
            environment.setProperty(property, "x");
        }
        beans.registerSingleton("environment", environment);
        if (factory != null) {
            RootBeanDefinition definition = new RootBeanDefinition(InMemoryUserDetailsManager.class);
            definition.setResolvedFactoryMethod(factory);
            beans.registerBeanDefinition("accounts", definition);
        }
        return ServiceAccounts.hasAccounts(beans, UserDetailsService.class);
    }

    @Test
    void accountOfAnotherPlugin_isItsSubject_withTheDetailsOfTheRequest() {
        for (Function<Authentication, Authentication> stack : List.<Function<Authentication, Authentication>>of(
                all -> onServlets(all, directory(), users), all -> onWebFlux(all, directory(), users))) {
            UsernamePasswordAuthenticationToken presented = given("ada", "x");
            presented.setDetails("192.0.2.7");
            Authentication login = stack.apply(presented);
            assertThat(login).isInstanceOf(LatchkeyAuthentication.class);
            assertThat(login.getPrincipal()).isEqualTo(Subject.of("ada"));
            assertThat(login.getDetails()).isEqualTo("192.0.2.7");
        }
    }

    @Test
    void refusalAndOutage_areThoseOfThePlugins() {
        for (Function<Authentication, Authentication> stack : List.<Function<Authentication, Authentication>>of(
                all -> onServlets(all, directory()), all -> onWebFlux(all, directory()))) {
            assertThatThrownBy(() -> stack.apply(given("locked", "x"))).isExactlyInstanceOf(LockedException.class);
            assertThatThrownBy(() -> stack.apply(given("failing", "x"))).isInstanceOf(AuthUnavailableException.class);
            assertThatThrownBy(() -> stack.apply(given("nobody", "x")))
                    .isExactlyInstanceOf(BadCredentialsException.class);
        }
    }

    @Test
    void missingStep_isNotEnough() {
        assertThatThrownBy(() -> onServlets(given("ada", "x"), directory(), new StepPlugin()))
                .satisfies(
                        failure -> assertThat(StepsAsked.isNotEnough(failure)).isTrue());
        assertThatThrownBy(() -> onWebFlux(given("ada", "x"), directory(), new StepPlugin()))
                .satisfies(
                        failure -> assertThat(StepsAsked.isNotEnough(failure)).isTrue());
        assertThat(SecurityEvents.exceptionFor(Challenged.by(Authenticated.as(Subject.of("a")), "otp")))
                .isNotNull();
    }

    @Test
    void pluginsSeeTheRequest() {
        RequestContext request = RequestContext.from("192.0.2.7").withHeader("X-Device", "phone");
        CurrentLogin before = CurrentRequest.with(request, CurrentLogin.here()).bind();
        try {
            onServlets(given("ada", "x"), directory());
        } finally {
            before.bind();
        }
        assertThat(seen).singleElement().satisfies(context -> {
            assertThat(context.address()).contains("192.0.2.7");
            assertThat(context.header("X-Device")).containsExactly("phone");
        });
    }

    @Test
    void accountThatThePluginsDecided_needsNoFurtherQuestionForItsSteps() {
        StepsAsked servlets = new StepsAsked();
        CurrentLogin before = servlets.within(CurrentLogin.here()).bind();
        try {
            onServlets(given("ada", "x"), directory());
        } finally {
            before.bind();
        }
        assertThat(servlets.includes("ada")).isTrue();
        assertThat(servlets.includes("bob")).isFalse();
        StepsAsked webFlux = new StepsAsked();
        reactive(directory())
                .manager()
                .authenticate(given("ada", "x"))
                .contextWrite(context -> context.put(CurrentLogin.class, webFlux.within(CurrentLogin.here())))
                .block(LONG);
        assertThat(webFlux.includes("ada")).isTrue();
    }

    @Test
    void loginOfAManagerOfSpring_isPublishedByTheManagerAlone() {
        List<AuthEvent> published = new ArrayList<>();
        List<Object> successes = new ArrayList<>();
        SecurityEvents events = new SecurityEvents(new AuthenticationEventPublisher() {
            @Override
            public void publishAuthenticationSuccess(Authentication login) {
                successes.add(login);
            }

            @Override
            public void publishAuthenticationFailure(AuthenticationException failure, Authentication login) {
                successes.add(failure);
            }
        });
        AuthChain chain = AuthChain.of(directory()).withListener(event -> {
            published.add(event);
            events.on(event);
        });
        new LatchkeyPasswords(chain).provider().authenticate(given("ada", "x"));
        assertThat(published).isNotEmpty();
        assertThat(successes).isEmpty();
        chain.authenticate(new PasswordCredentials("ada", Secret.of("x")), RequestContext.none());
        assertThat(successes).hasSize(1);
    }

    /** Otherwise a plugin around Spring's own manager would call itself forever. */
    @Test
    void pluginThatAsksTheProvider_isNotAskedAgain() {
        AuthenticationProvider[] provider = new AuthenticationProvider[1];
        List<Object> inner = new ArrayList<>();
        AuthPlugin asking = source("asking", given -> {
            inner.add(String.valueOf(provider[0].authenticate(given("ada", "x"))));
            return Authenticated.as(Subject.of("ada"));
        });
        provider[0] = passwords(asking).provider();
        assertThat(provider[0].authenticate(given("ada", "x")).getName()).isEqualTo("ada");
        assertThat(inner).containsExactly("null");
    }

    @Test
    void provider_supportsNamesAndPasswordsAlone() {
        AuthenticationProvider provider = passwords(users).provider();
        assertThat(provider.supports(UsernamePasswordAuthenticationToken.class)).isTrue();
        assertThat(provider.supports(TestingAuthenticationToken.class)).isFalse();
    }

    @Test
    void pluginsBesideTheAccounts_areThoseForPasswords_andSteps() {
        PasswordPlugins plugins =
                new PasswordPlugins(AuthChain.of(users, directory(), new StepPlugin(), () -> "other"));
        assertThat(plugins.askedBesideUsers()).containsExactly("directory", "codes");
        assertThat(plugins.sourcesBesideUsers()).containsExactly("directory");
        assertThat(plugins.haveUsers()).isTrue();
        assertThat(new PasswordPlugins(AuthChain.of(directory())).haveUsers()).isFalse();
        ReactiveLatchkeyPasswords reactive = reactive(users, directory(), new StepPlugin());
        assertThat(reactive.askedBesideUsers()).containsExactly("directory", "codes");
        assertThat(reactive.sourcesBesideUsers()).containsExactly("directory");
    }

    @Test
    void managerOfWebFlux_isSprings_ifThePluginsHaveTheAccountsAndMore() {
        assertThat(reactive(users, directory()).replacesSpringsManager()).isTrue();
        assertThat(reactive(users).replacesSpringsManager()).isFalse();
        assertThat(new ReactiveLatchkeyPasswords(
                                AuthChain.of(List.of(users, directory())),
                                work,
                                LoginParts.propertiesOf("latchkey.authentication-manager.enabled=false"),
                                null,
                                new DefaultListableBeanFactory())
                        .replacesSpringsManager())
                .isFalse();
    }

    /** The plugins do not know such accounts. */
    @Test
    void managerOfWebFlux_isNotSprings_ifTheServiceHasAccountsOutsideOfItsPlugins() throws NoSuchMethodException {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("environment", new MockEnvironment());
        ReactiveLatchkeyPasswords passwords = new ReactiveLatchkeyPasswords(
                AuthChain.of(List.of(directory())), work, LoginParts.propertiesOf(), null, beans);
        assertThat(passwords.replacesSpringsManager()).isTrue();
        RootBeanDefinition accounts = new RootBeanDefinition(MapReactiveUserDetailsService.class);
        accounts.setResolvedFactoryMethod(DecidedPasswordsTest.class.getDeclaredMethod("reactiveOfTheService"));
        beans.registerBeanDefinition("accounts", accounts);
        assertThat(passwords.replacesSpringsManager()).isFalse();
    }

    static MapReactiveUserDetailsService reactiveOfTheService() {
        return new MapReactiveUserDetailsService(
                User.withUsername("bob").password("x").authorities("ROLE_USER").build());
    }

    @Test
    void managerOfWebFlux_asksEachTime() {
        ReactiveAuthenticationManager manager = reactive(directory()).manager();
        manager.authenticate(given("ada", "x"));
        assertThat(seen).isEmpty();
        manager.authenticate(given("ada", "x")).block(LONG);
        manager.authenticate(given("ada", "x")).block(LONG);
        assertThat(seen).hasSize(2);
    }

    private AuthPlugin directory() {
        return source("directory", given -> switch (given.username()) {
            case "ada" -> Authenticated.as(Subject.of("ada"));
            case "locked" -> Rejected.because(RejectionReason.ACCOUNT_LOCKED);
            case "failing" -> throw AuthUnavailableException.outage("down");
            default -> Decision.abstained();
        });
    }

    private AuthPlugin source(String name, Function<PasswordCredentials, Decision> answer) {
        return new LoginSource<PasswordCredentials>() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Class<PasswordCredentials> kind() {
                return PasswordCredentials.class;
            }

            @Override
            public Decision authenticate(PasswordCredentials given, RequestContext context) {
                seen.add(context);
                return answer.apply(given);
            }
        };
    }

    private static UsernamePasswordAuthenticationToken given(String name, String password) {
        return UsernamePasswordAuthenticationToken.unauthenticated(name, password);
    }
}
