package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.contract.LoginSourceContract;
import dev.latchkey.auth.contract.LoginStepContract;
import dev.latchkey.auth.engine.PluginSelectionException;
import dev.latchkey.auth.spring.Services;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.test.web.servlet.MockMvc;

/** {@code write-a-plugin.md}: the plugins of the page run in a service, and keep the contract of their roles. */
@Tag("long")
class WriteAPluginGuideTest {

    private static final Pattern CONTINUATION = Pattern.compile("\"continuation\":\"([^\"]+)\"");

    @TempDir
    static Path folder;

    private static Guide guide;

    @BeforeAll
    static void compile() throws IOException {
        guide = Guide.of("write-a-plugin.md", folder);
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve("dev.latchkey.auth.factory.AuthPluginFactory"), "RelayFactory\n");
    }

    @AfterAll
    static void close() throws IOException {
        guide.close();
    }

    @Test
    void sourceOfThePage_logsIn_underTheShownName() {
        Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withBean(AuthPlugin.class, () -> make("Robots"))
                .run(context -> {
                    MockHttpServletResponse answer = Services.mvc(context)
                            .perform(get("/hello").with(httpBasic("robot", "gears-and-springs-are-enough")))
                            .andReturn()
                            .getResponse();
                    guide.shows("HTTP/1.1 " + answer.getStatus());
                    guide.shows(answer.getContentAsString());
                });
    }

    @Test
    void stepOfThePage_isAskedFor_sentAgain_andPassed() {
        Map<String, String> mails = new ConcurrentHashMap<>();
        BiConsumer<String, String> mail = mails::put;
        Services.web()
                .withUserConfiguration(Administrators.class)
                .withBean(AuthPlugin.class, () -> make("MailedCodes", BiConsumer.class, mail))
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    String first = login(mvc, Services.LOGIN.replace("alice", "root"), "401 ");
                    String sent = mails.get("root");
                    String again = login(
                            mvc, "{\"continuation\":\"" + continuationIn(first) + "\",\"resend\":\"true\"}", "401 ");
                    assertThat(mails.get("root")).isNotEqualTo(sent);
                    String last = login(
                            mvc,
                            "{\"continuation\":\"" + continuationIn(again) + "\",\"code\":\"" + mails.get("root")
                                    + "\"}",
                            "200 ");
                    assertThat(Services.tokenFrom(last)).isNotEmpty();
                });
    }

    @Test
    void codeBySms_isAskedFor_andPassed() throws ClassNotFoundException {
        Backend backend = new Backend();
        Class<?> client = guide.type("TextedCodes$Backend");
        Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withBean(AuthPlugin.class, () -> make("TextedCodes", client, backend))
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    String first = login(mvc, Services.LOGIN.replace("alice", "linus"), "401 ");
                    String code = backend.codes.values().iterator().next();
                    String last = login(
                            mvc,
                            "{\"continuation\":\"" + continuationIn(first) + "\",\"code\":\"" + code + "\"}",
                            "200 ");
                    assertThat(Services.tokenFrom(last)).isNotEmpty();
                });
    }

    private static String login(MockMvc mvc, String body, String status) throws Exception {
        MockHttpServletResponse answer = mvc.perform(post("/auth/token")
                        .contentType(MediaType.APPLICATION_JSON)
                        .content(body))
                .andReturn()
                .getResponse();
        String text = answer.getContentAsString(StandardCharsets.UTF_8);
        assertThat(answer.getStatus() + " ").as(text).isEqualTo(status);
        guide.shows(status + text);
        return text;
    }

    private static String continuationIn(String answer) {
        Matcher continuation = CONTINUATION.matcher(answer);
        assertThat(continuation.find()).as(answer).isTrue();
        return continuation.group(1);
    }

    @Test
    void factoryOfThePage_makesTheNamedPlugin() {
        relay("latchkey.plugin.relay.password=hand-it-over-quickly").run(context -> {
            MockMvc mvc = Services.mvc(context);
            assertThat(mvc.perform(get("/hello").with(httpBasic("relay-7", "hand-it-over-quickly")))
                            .andReturn()
                            .getResponse()
                            .getContentAsString())
                    .isEqualTo("Hello relay:relay-7");
        });
    }

    @Test
    void wrongSettings_stopTheStart_withTheMessageOfThePage() {
        relay("latchkey.plugin.relay.lifetime=3d", "latchkey.plugin.relay.lifetme=5m")
                .run(context -> {
                    Throwable failure = context.getStartupFailure();
                    while (failure != null && !(failure instanceof PluginSelectionException)) {
                        failure = failure.getCause();
                    }
                    assertThat(failure).isInstanceOf(PluginSelectionException.class);
                    assertThat(((PluginSelectionException) failure).mistakes())
                            .hasSize(3)
                            .allSatisfy(problem -> guide.shows("- " + problem));
                });
    }

    private static WebApplicationContextRunner relay(String... settings) {
        return Services.web()
                .withClassLoader(guide.loader())
                .withUserConfiguration(Services.Accounts.class)
                .withPropertyValues("latchkey.plugins=users,relay")
                .withPropertyValues(settings);
    }

    /** The fixture of the page. */
    @Nested
    class RobotsOfThePage extends LoginSourceContract {

        @Override
        protected LoginSource<?> newPlugin() throws Exception {
            return (LoginSource<?>) fixture("newPlugin");
        }

        @Override
        protected Credentials validCredentials() throws Exception {
            return (Credentials) fixture("validCredentials");
        }

        @Override
        protected Credentials wrongCredentials() throws Exception {
            return (Credentials) fixture("wrongCredentials");
        }

        private Object fixture(String name) throws Exception {
            Method supply = guide.type("RobotsTest").getDeclaredMethod(name);
            supply.setAccessible(true);
            return supply.invoke(make("RobotsTest"));
        }
    }

    @Nested
    class StaffOfThePage extends LoginSourceContract {

        @Override
        protected LoginSource<?> newPlugin() throws Exception {
            return make("Staff", guide.type("Staff$Directory"), new Backend());
        }

        @Override
        protected Credentials validCredentials() {
            return new PasswordCredentials("linus", Secret.of(Services.PASSWORD));
        }

        @Override
        protected Credentials wrongCredentials() {
            return new PasswordCredentials("linus", Secret.of("not the password"));
        }
    }

    @Nested
    class TextedCodesOfThePage {

        @Nested
        class Password extends LoginSourceContract {

            @Override
            protected LoginSource<?> newPlugin() throws Exception {
                return make("TextedCodes", guide.type("TextedCodes$Backend"), new Backend());
            }

            @Override
            protected Credentials validCredentials() {
                return new PasswordCredentials("linus", Secret.of(Services.PASSWORD));
            }

            @Override
            protected Credentials wrongCredentials() {
                return new PasswordCredentials("linus", Secret.of("not the password"));
            }
        }

        @Nested
        class Code extends LoginStepContract {

            private final Backend backend = new Backend();

            @Override
            protected LoginStep newPlugin() throws Exception {
                return make("TextedCodes", guide.type("TextedCodes$Backend"), backend.another());
            }

            @Override
            protected Authenticated login() {
                return Authenticated.as(Subject.of("linus"));
            }

            @Override
            protected Authenticated otherLogin() {
                return Authenticated.as(Subject.of("ada"));
            }

            @Override
            protected Challenged challenge(LoginStep plugin, Authenticated login) {
                PasswordCredentials password =
                        new PasswordCredentials(login.subject().id(), Secret.of(Services.PASSWORD));
                return (Challenged) passwords(plugin).authenticate(password, RequestContext.none());
            }

            @SuppressWarnings("unchecked") // The class is a source of passwords, too.
            private LoginSource<PasswordCredentials> passwords(LoginStep plugin) {
                return (LoginSource<PasswordCredentials>) plugin;
            }

            @Override
            protected Map<String, Secret> rightResponse(Challenged challenge) {
                String message = challenge.state().orElseThrow().withText(CharSequence::toString);
                return Map.of("code", Secret.of(backend.codes.get(message)));
            }
        }
    }

    @Nested
    class MailedCodesOfThePage extends LoginStepContract {

        /** By account; a challenge for the account replaces the code. */
        private final Map<String, String> mails = new ConcurrentHashMap<>();

        @Override
        protected LoginStep newPlugin() {
            BiConsumer<String, String> mail = mails::put;
            return make("MailedCodes", BiConsumer.class, mail);
        }

        @Override
        protected Authenticated login() {
            return Authenticated.as(Subject.of("root").withAuthorities("ROLE_ADMIN"));
        }

        @Override
        protected Authenticated otherLogin() {
            return Authenticated.as(Subject.of("grace").withAuthorities("ROLE_ADMIN"));
        }

        @Override
        protected Optional<Authenticated> loginWithoutStep() {
            return Optional.of(Authenticated.as(Subject.of("linus")));
        }

        /** The mail has what the state has: a state of the kit's is a copy. */
        @Override
        protected Map<String, Secret> rightResponse(Challenged challenge) {
            return Map.of("code", Secret.of(challenge.state().orElseThrow().<String>withText(CharSequence::toString)));
        }
    }

    /** The directory and the backend of the page: accounts with one password. */
    private static final class Backend implements InvocationHandler {

        private static final Set<String> ACCOUNTS = Set.of("linus", "ada");

        private final Map<String, String> codes;
        private final AtomicBoolean isClosed = new AtomicBoolean();

        Backend() {
            this(new ConcurrentHashMap<>());
        }

        private Backend(Map<String, String> codes) {
            this.codes = codes;
        }

        /** Another client of the same backend. */
        Backend another() {
            return new Backend(codes);
        }

        @Override
        public Object invoke(Object proxy, Method call, Object[] args) throws Exception {
            if (call.getName().equals("close")) {
                isClosed.set(true);
                return null;
            }
            if (isClosed.get()) {
                throw AuthUnavailableException.outage("The client is closed");
            }
            return switch (call.getName()) {
                case "check" -> isRight(args) ? Optional.of(user((String) args[0])) : Optional.empty();
                case "find" -> ACCOUNTS.contains(args[0]) ? Optional.of(user((String) args[0])) : Optional.empty();
                case "login" -> isRight(args) ? Optional.of(sent((String) args[0])) : Optional.empty();
                case "isRight" -> Secret.of(codes.getOrDefault(args[0], "-")).matches((Secret) args[1]);
                default -> throw new IllegalStateException("The page has another call: " + call);
            };
        }

        private static boolean isRight(Object[] login) {
            boolean isPassword = Secret.of(Services.PASSWORD).matches((Secret) login[1]);
            return isPassword && ACCOUNTS.contains(login[0]);
        }

        private static Object user(String id) throws Exception {
            return record("Staff$User", id, Set.of("ROLE_CLERK"), "7", true);
        }

        private Object sent(String account) throws Exception {
            String message = account + " " + codes.size();
            codes.put(message, "%06d".formatted(codes.size() * 7919 + 100_000));
            return record("TextedCodes$Sent", account, message, "***12");
        }

        private static Object record(String type, Object... parts) throws Exception {
            Constructor<?> make = guide.type(type).getDeclaredConstructors()[0];
            make.setAccessible(true);
            return make.newInstance(parts);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T> T make(String type, Object... typeAndValue) {
        try {
            Class<?>[] types = typeAndValue.length == 0 ? new Class<?>[0] : new Class<?>[] {(Class<?>) typeAndValue[0]};
            Constructor<?> make = guide.type(type).getDeclaredConstructor(types);
            make.setAccessible(true);
            if (types.length == 0) {
                return (T) make.newInstance();
            }
            Object value = typeAndValue[1] instanceof Backend backend
                    ? Proxy.newProxyInstance(guide.loader(), types, backend)
                    : typeAndValue[1];
            return (T) make.newInstance(value);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(type + " of the page cannot be made", e);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Administrators {

        @Bean
        BCryptPasswordEncoder passwordEncoder() {
            return new BCryptPasswordEncoder(4);
        }

        @Bean
        InMemoryUserDetailsManager accounts(PasswordEncoder encoder) {
            return new InMemoryUserDetailsManager(User.withUsername("root")
                    .password(encoder.encode(Services.PASSWORD))
                    .authorities("ROLE_ADMIN")
                    .build());
        }
    }
}
