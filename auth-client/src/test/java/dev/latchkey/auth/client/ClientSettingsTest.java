package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.Secret;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The bounds of settings, and what an endpoint and an authorizer without tokens say of themselves. */
class ClientSettingsTest {

    private static final URI LOGIN = URI.create("https://login.example/auth/token");

    private final ClientSettings settings = ClientSettings.defaults();

    @Test
    void eachTime_isPositive_andADayAtMost() {
        List<Function<Duration, ClientSettings>> changes = List.of(
                settings::withConnectTimeout,
                settings::withLoginTimeout,
                settings::withPatience,
                settings::withLongestBackOff);
        for (Function<Duration, ClientSettings> change : changes) {
            for (Duration good : List.of(Duration.ofNanos(1), Duration.ofDays(1))) {
                assertThat(change.apply(good)).isNotEqualTo(settings);
            }
            for (Duration bad : List.of(
                    Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(1).plusNanos(1))) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> change.apply(bad))
                        .withMessageContaining("must be positive and a day at most, got " + bad);
            }
        }
    }

    @Test
    void eachChange_isOfOneSetting() {
        Duration time = Duration.ofSeconds(7);
        InstantSource clock = new MovedTime();
        ClientListener listener = new HeardEvents();
        assertThat(settings.withConnectTimeout(time).connectTimeout()).isEqualTo(time);
        assertThat(settings.withLoginTimeout(time).loginTimeout()).isEqualTo(time);
        assertThat(settings.withPatience(time).patience()).isEqualTo(time);
        assertThat(settings.withLongestBackOff(time).longestBackOff()).isEqualTo(time);
        assertThat(settings.withTransport(Transport.UNENCRYPTED_TOO).transport())
                .isEqualTo(Transport.UNENCRYPTED_TOO);
        assertThat(settings.withListener(listener).listener()).isSameAs(listener);
        assertThat(settings.withClock(clock).clock()).isSameAs(clock);
        assertThat(settings.withOrigin(LOGIN).origins()).isEqualTo(Set.of(LOGIN));
        assertThat(settings.withConnectTimeout(time).toString())
                .contains("connectTimeout=PT7S", "loginTimeout=PT5S", "patience=PT10S", "longestBackOff=PT1M");
    }

    @Test
    void refreshTokens_goToAnotherAddressOfTheOrigin() {
        URI there = URI.create("https://login.example:443/refresh");
        LoginEndpoint endpoint = LoginEndpoint.ofNacos(LOGIN, "robot", Secret.of("secret"));
        assertThat(endpoint.refresh()).isEmpty();
        assertThat(endpoint.withRefresh(there).refresh()).contains(there);
        assertThat(endpoint.withRefresh(there).fields()).isEqualTo(endpoint.fields());
    }

    @Test
    void addressOfALogin_hasNoFragment_andItsQueryIsNotPrinted() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        LoginEndpoint.ofNacos(URI.create("https://login.example/#a"), "robot", Secret.of("secret")));
        LoginEndpoint endpoint = LoginEndpoint.ofNacos(URI.create(LOGIN + "?key=s3cret"), "robot", Secret.of("secret"));
        assertThat(endpoint).hasToString("https://login.example:443/auth/token");
        assertThat(TokenAuthorizer.of(endpoint).toString()).contains("https://login.example:443");
    }

    /** RFC 6749 section 2.3.1: both parts are encoded, and no character of them is left as it is here. */
    @Test
    void clientCredentials_haveRoomForTheirEncoding() {
        assertThat(LoginEndpoint.ofClientCredentials(LOGIN, ":", Secret.of("&"))
                        .basic()
                        .orElseThrow()
                        .<String>withText(CharSequence::toString))
                .isEqualTo("Basic JTNBOiUyNg==");
    }

    @Test
    void statusThatRefusesAToken_isThatOfTheServer() {
        TokenAuthorizer latchkey = TokenAuthorizer.of(LoginEndpoint.ofLatchkey(LOGIN, "robot", Secret.of("secret")));
        TokenAuthorizer nacos = TokenAuthorizer.of(LoginEndpoint.ofNacos(LOGIN, "robot", Secret.of("secret")));
        BasicAuthorizer basic = BasicAuthorizer.of(LOGIN, "robot", Secret.of("secret"));
        assertThat(List.of(latchkey.isRefusal(401), nacos.isRefusal(401), nacos.isRefusal(403), basic.isRefusal(401)))
                .containsOnly(true);
        assertThat(List.of(latchkey.isRefusal(403), nacos.isRefusal(404), basic.isRefusal(403), basic.isRefusal(200)))
                .containsOnly(false);
    }

    @Test
    void basic_hasNoOtherCredentials() {
        BasicAuthorizer basic = BasicAuthorizer.of(LOGIN, "robot", Secret.of("secret"));
        CompletableFuture<Authorization> shown = basic.current();
        assertThat(shown.join().fieldValue()).isEqualTo("Basic cm9ib3Q6c2VjcmV0");
        assertThat(basic.renewalOf(shown.join())).isEmpty();
        assertThat(shown.join()).hasToString("Authorization[****]");
    }
}
