package dev.latchkey.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.Authorizer;
import dev.latchkey.auth.client.ClientEvent;
import dev.latchkey.auth.client.ClientSettings;
import dev.latchkey.auth.client.LoginEndpoint;
import dev.latchkey.auth.client.LoginFailedException;
import dev.latchkey.auth.client.LoginFailedException.Kind;
import dev.latchkey.auth.client.TokenAuthorizer;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.lines.ClientForm.Caller;
import dev.latchkey.lines.MoodyService.Mood;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The client side against the packaged starter, for each form of client and both kinds of service: events in order, and
 * recovery.
 */
@Timeout(900)
class ClientIT {

    private static final Duration LIFETIME = Duration.ofHours(1);

    /** A caller with a clock of its own and the events of the authorizer. */
    private final class Watched {

        private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        private final List<ClientEvent> events = new CopyOnWriteArrayList<>();
        private final TokenAuthorizer tokens;
        private final Caller caller;

        Watched(ClientForm form, LoginEndpoint endpoint) {
            tokens = TokenAuthorizer.of(endpoint, patient().withClock(now::get).withListener(events::add));
            caller = form.with(tokens);
        }

        void requireHello() throws Exception {
            assertThat(caller.get(at("/hello"))).isEqualTo("Hello alice");
        }

        void requireToldNow(Class<?>... kinds) {
            assertThat(events).hasSize(kinds.length);
            for (int i = 0; i < kinds.length; i++) {
                assertThat(events.get(i)).isInstanceOf(kinds[i]);
            }
            events.clear();
        }
    }

    private final HttpClient plain = HttpClient.newHttpClient();
    private final Relay relay;

    ClientIT() throws Exception {
        relay = new Relay();
    }

    @AfterEach
    void stop() throws Exception {
        relay.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void callers_goOnWhateverBecomesOfTheirTokens(WebApplicationType type) throws Exception {
        Map<ClientForm, Watched> callers = new EnumMap<>(ClientForm.class);
        try (ConfigurableApplicationContext service = start(type, "--latchkey.jwt.secret=" + MoodyService.KEY)) {
            for (ClientForm form : ClientForm.values()) {
                Watched caller = new Watched(form, endpoint("alice"));
                callers.put(form, caller);
                caller.requireHello();
                caller.requireHello();
                caller.requireToldNow(ClientEvent.LoggedIn.class);
                prolong(caller);
                prolong(caller);
                logOutElsewhere(caller);
            }
            revokeAll(service, callers);
            refuse(service);
        }
        relay.cut();
        try (ConfigurableApplicationContext service = start(type, "--latchkey.jwt.secret=" + MoodyService.OTHER_KEY)) {
            assertThat(service.isActive()).isTrue();
            for (Watched caller : callers.values()) {
                caller.requireHello();
                caller.requireToldNow(
                        ClientEvent.TokenRefused.class, ClientEvent.RefreshRefused.class, ClientEvent.LoggedIn.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersInTheShapeOfNacos_areTheSameToTheCaller(ClientForm form) throws Exception {
        try (ConfigurableApplicationContext service = start(
                WebApplicationType.SERVLET,
                "--latchkey.jwt.secret=" + MoodyService.KEY,
                "--latchkey.login.response=nacos")) {
            Watched caller = new Watched(form, nacos("alice").withRefresh(at("/auth/token")));
            caller.requireHello();
            caller.requireToldNow(ClientEvent.LoggedIn.class);
            prolong(caller);
            logOutElsewhere(caller);
            assertThat(failureOf(form, nacos("nobody")).kind()).isEqualTo(Kind.REFUSED);
            service.getBean(Mood.class).wantsSecondStep(true);
            assertThat(failureOf(form, nacos("alice")).kind()).isEqualTo(Kind.SECOND_STEP);
        }
    }

    /** The refresh token is shown, and the next one is another. */
    private void prolong(Watched caller) throws Exception {
        caller.now.updateAndGet(before -> before.plus(LIFETIME));
        caller.requireHello();
        caller.requireToldNow(ClientEvent.Refreshed.class);
    }

    /** The bearer of the token logs out: the token is refused, and so is its refresh token. */
    private void logOutElsewhere(Watched caller) throws Exception {
        String shown = Authorizer.await(caller.tokens.current()).fieldValue();
        HttpRequest logout = HttpRequest.newBuilder(at("/auth/logout"))
                .header("Authorization", shown)
                .POST(BodyPublishers.noBody())
                .build();
        assertThat(plain.send(logout, BodyHandlers.discarding()).statusCode()).isEqualTo(204);
        caller.requireHello();
        caller.requireToldNow(
                ClientEvent.TokenRefused.class, ClientEvent.RefreshRefused.class, ClientEvent.LoggedIn.class);
    }

    /** Ends all credentials of the account. A new login is possible within the same second. */
    private void revokeAll(ConfigurableApplicationContext service, Map<ClientForm, Watched> callers) throws Exception {
        assertThat(service.getBean(AuthChain.class).revokeAll("alice", Instant.now()))
                .isTrue();
        for (Watched caller : callers.values()) {
            caller.requireHello();
            caller.requireToldNow(
                    ClientEvent.TokenRefused.class, ClientEvent.RefreshRefused.class, ClientEvent.LoggedIn.class);
        }
    }

    /** Each reason for a rejected login, as each form of client reports the reason. */
    private void refuse(ConfigurableApplicationContext service) {
        Mood mood = service.getBean(Mood.class);
        for (ClientForm form : ClientForm.values()) {
            mood.wantsSecondStep(true);
            LoginFailedException step = failureOf(form, endpoint("alice"));
            assertThat(step).hasMessageContaining("wants a second step: use an account without one");
            assertThat(step.kind()).isEqualTo(Kind.SECOND_STEP);
            mood.wantsSecondStep(false);

            LoginFailedException outage = failureOf(form, endpoint(MoodyService.UNLUCKY));
            assertThat(outage).hasMessageContaining("503");
            assertThat(outage.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(outage.retryAfter()).contains(MoodyService.OUTAGE);

            for (int i = 0; i < MoodyService.GUESSES; i++) {
                assertThat(failureOf(form, guess(form, i)).kind()).isEqualTo(Kind.REFUSED);
            }
            LoginFailedException limited = failureOf(form, guess(form, MoodyService.GUESSES));
            assertThat(limited).hasMessageContaining("429");
            assertThat(limited.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(limited.retryAfter()).contains(patient().longestBackOff());
        }
    }

    private LoginFailedException failureOf(ClientForm form, LoginEndpoint endpoint) {
        Caller caller = form.with(TokenAuthorizer.of(endpoint, patient()));
        return catchThrowableOfType(LoginFailedException.class, () -> caller.get(at("/hello")));
    }

    /** Patient with a slow machine, and not as patient as any server asks for here. */
    private ClientSettings patient() {
        Duration limit = Duration.ofSeconds(50);
        return ClientSettings.defaults()
                .withConnectTimeout(limit)
                .withLoginTimeout(limit)
                .withPatience(limit);
    }

    private LoginEndpoint endpoint(String name) {
        return LoginEndpoint.ofLatchkey(at("/auth/token"), name, Secret.of(MoodyService.PASSWORD));
    }

    /** Another password each time: the same one again is no further guess. */
    private LoginEndpoint guess(ClientForm form, int number) {
        return LoginEndpoint.ofLatchkey(at("/auth/token"), "stranger-" + form.name(), Secret.of("guess-" + number));
    }

    private LoginEndpoint nacos(String name) {
        return LoginEndpoint.ofNacos(at("/nacos/v1/auth/users/login"), name, Secret.of(MoodyService.PASSWORD));
    }

    private ConfigurableApplicationContext start(WebApplicationType type, String... arguments) {
        ConfigurableApplicationContext service = MoodyService.start(type, arguments);
        relay.to(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
        return service;
    }

    private URI at(String path) {
        return URI.create("http://127.0.0.1:" + relay.port() + path);
    }
}
