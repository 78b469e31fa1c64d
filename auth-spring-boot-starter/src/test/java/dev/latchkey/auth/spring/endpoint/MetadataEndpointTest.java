package dev.latchkey.auth.spring.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.http.AnswerText;
import dev.latchkey.auth.spring.login.LoginParts;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.mock.env.MockEnvironment;

/** The metadata of OAuth: issuers that have them, and the addresses in them. */
class MetadataEndpointTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://id.example",
                "http://localhost:8080",
                "https://id.example/",
                "https://id.example/a-b/c.d_e~f/1"
            })
    void issuerThatIsAnAddress_hasMetadata(String issuer) {
        assertThat(matches(issuer)).isTrue();
    }

    /** RFC 8414 section 2; a path with other characters could be a pattern. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "shop",
                "ftp://id.example",
                "https:id.example",
                "https://id.example?a=b",
                "https://id.example#a",
                "https://id.example/{a}",
                "https://id.example/a%20b",
                "https://id.example/*",
                "http://[::1",
                "urn:example:issuer"
            })
    void otherIssuer_isAName(String issuer) {
        assertThat(matches(issuer)).isFalse();
    }

    @Test
    void serviceWithoutAnIssuer_hasNoMetadata() {
        assertThat(matches(null)).isFalse();
    }

    @Test
    void slashAtTheEnd_isNotDoubled() {
        MetadataEndpoint endpoint = endpoint("https://id.example/");
        assertThat(endpoint.path()).isEqualTo("/.well-known/oauth-authorization-server");
        assertThat(body(endpoint))
                .startsWith("{\"issuer\":\"https://id.example/\",\"token_endpoint\":\"https://id.example/auth/token\"");
    }

    @Test
    void pathOfTheIssuer_standsBehindTheWellKnownPath_andBeforeThePathsOfTheEndpoints() {
        MetadataEndpoint endpoint = endpoint("https://id.example/tenant");
        assertThat(endpoint.path()).isEqualTo("/.well-known/oauth-authorization-server/tenant");
        assertThat(body(endpoint)).contains("\"token_endpoint\":\"https://id.example/tenant/auth/token\"");
    }

    /** RFC 8414 section 3.1: the client removes the last slash before the well-known path. */
    @Test
    void slashBehindThePathOfTheIssuer_isNotInTheWellKnownPath() {
        MetadataEndpoint endpoint = endpoint("https://id.example/tenant/");
        assertThat(endpoint.path()).isEqualTo("/.well-known/oauth-authorization-server/tenant");
        assertThat(body(endpoint)).startsWith("{\"issuer\":\"https://id.example/tenant/\",");
    }

    private static MetadataEndpoint endpoint(String issuer) {
        LatchkeyProperties.Login login = LoginParts.propertiesOf().login();
        return new MetadataEndpoint(login, new OAuthClients(Map.of(), List.of()), issuer);
    }

    private static String body(MetadataEndpoint endpoint) {
        return AnswerText.of(endpoint.answer(new EndpointRequest(RequestContext.none(), Map.of(), null, new byte[0])))
                .body();
    }

    private static boolean matches(String issuer) {
        MockEnvironment environment = new MockEnvironment();
        if (issuer != null) {
            environment.setProperty("latchkey.jwt.issuer", issuer);
        }
        ConditionContext context = (ConditionContext) Proxy.newProxyInstance(
                MetadataEndpointTest.class.getClassLoader(),
                new Class<?>[] {ConditionContext.class},
                (proxy, method, args) -> method.getName().equals("getEnvironment") ? environment : null);
        return new MetadataEndpoint.OnIssuerAddress()
                .getMatchOutcome(context, AnnotationMetadata.introspect(MetadataEndpointTest.class))
                .isMatch();
    }
}
