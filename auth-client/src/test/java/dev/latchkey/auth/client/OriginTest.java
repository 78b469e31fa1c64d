package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.Secret;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Credentials go to the origins that were named, and nowhere else (RFC 6454). */
class OriginTest {

    private final BasicAuthorizer authorizer =
            BasicAuthorizer.of(URI.create("https://api.example/orders"), "robot", Secret.of("secret"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://api.example",
                "https://api.example:443/",
                "HTTPS://API.EXAMPLE/elsewhere?x=y#z",
                "https://somebody@api.example/",
            })
    void sameSchemeHostAndPort_getCredentials(String address) {
        assertThat(authorizer.isFor(URI.create(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://api.example/",
                "http://api.example:443/",
                "https://api.example:8443/",
                "https://api.example./",
                "https://example/",
                "https://www.api.example/",
                "https://api.example.evil.example/",
                "https://api.example@evil.example/",
                "https://api_example/",
                "ws://api.example/",
                "mailto:api@example",
                "//api.example/orders",
                "/orders",
            })
    void anythingElse_getsNone(String address) {
        assertThat(authorizer.isFor(URI.create(address))).isFalse();
    }

    @Test
    void originsOfTheSettings_getCredentialsToo() {
        TokenAuthorizer tokens = TokenAuthorizer.of(
                LoginEndpoint.ofLatchkey(URI.create("https://login.example/auth/token"), "robot", Secret.of("secret")),
                ClientSettings.defaults().withOrigin(URI.create("https://api.example/v1")));
        assertThat(tokens.isFor(URI.create("https://api.example/v2"))).isTrue();
        assertThat(tokens.isFor(URI.create("https://login.example/me"))).isTrue();
        assertThat(tokens.isFor(URI.create("https://other.example/"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://127.0.0.1:8080/", "http://localhost/", "http://[::1]:8080/", "https://api.example/"})
    void credentialsOnThisMachineOrByTls_areSent(String address) {
        assertThat(BasicAuthorizer.of(URI.create(address), "robot", Secret.of("secret"))
                        .isFor(URI.create(address)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://api.example/",
                "http://127.0.0.1.evil.example/",
                "http://localhost.evil.example/",
                "http://127.example/",
                "ftp://api.example/",
                "//localhost/orders",
                "/orders",
            })
    void credentialsThatOthersCouldRead_areNotSent(String address) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BasicAuthorizer.of(URI.create(address), "robot", Secret.of("secret")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://localhost/", "ws://127.0.0.1/", "wss://[::1]/", "file://localhost/tmp"})
    void anotherSchemeThanHttps_getsNone_onThisMachineEither(String address) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BasicAuthorizer.of(URI.create(address), "robot", Secret.of("secret")));
    }

    @Test
    void plainHttpThatIsAskedFor_isUsed() {
        URI address = URI.create("http://nacos.internal:8848/nacos/v3/auth/user/login");
        TokenAuthorizer tokens = TokenAuthorizer.of(
                LoginEndpoint.ofNacos(address, "nacos", Secret.of("secret")),
                ClientSettings.defaults().withTransport(Transport.UNENCRYPTED_TOO));
        assertThat(tokens.isFor(address)).isTrue();
    }

    @Test
    void refreshTokens_goToTheOriginOfTheLoginAlone() {
        LoginEndpoint endpoint =
                LoginEndpoint.ofLatchkey(URI.create("https://login.example/auth/token"), "robot", Secret.of("secret"));
        assertThat(endpoint.refresh()).contains(URI.create("https://login.example/auth/token"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> endpoint.withRefresh(URI.create("https://evil.example/auth/token")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoginEndpoint.ofNacos(
                        URI.create("https://nacos:nacos@login.example/"), "nacos", Secret.of("secret")));
    }

    @Test
    void refreshTokens_goToTheAddressOfTheLogin() {
        LoginEndpoint endpoint =
                LoginEndpoint.ofLatchkey(URI.create("https://login.example/my/token"), "robot", Secret.of("secret"));
        assertThat(endpoint.refresh()).contains(URI.create("https://login.example/my/token"));
    }

    @Test
    void whatAnAddressHoldsBesidesItsOrigin_isPrintedNowhere() {
        ClientSettings settings = ClientSettings.defaults()
                .withOrigin(URI.create("https://robot:s3cret@api.example/orders?key=s3cret#s3cret"));
        assertThat(settings.toString()).contains("https://api.example:443").doesNotContain("s3cret");
        BasicAuthorizer basic =
                BasicAuthorizer.of(URI.create("https://robot:s3cret@api.example"), "robot", Secret.of("secret"));
        assertThat(basic.toString()).contains("https://api.example:443").doesNotContain("s3cret");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BasicAuthorizer.of(
                        URI.create("http://robot:s3cret@api.example/?s3cret"), "robot", Secret.of("secret")))
                .withMessageNotContaining("s3cret");
    }
}
