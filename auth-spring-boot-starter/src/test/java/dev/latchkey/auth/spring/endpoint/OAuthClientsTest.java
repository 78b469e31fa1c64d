package dev.latchkey.auth.spring.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.spring.login.RegisteredClient;
import dev.latchkey.auth.spring.settings.ClientProperties;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client of a request: the forms of its id and its secret, and its grant types. */
class OAuthClientsTest {

    private static final String SECRET = "0123456789+bcd/fghi%6Akl";

    private final OAuthClients clients = new OAuthClients(
            Map.of("shop", new ClientProperties(Secret.of(SECRET), null)),
            List.of(RegisteredClient.of("the vault", Secret.of(SECRET)).withGrants(Set.of("refresh_token"))));

    @Test
    void clientOfTheSettings_andOfABean_areRegistered() {
        assertThat(clients.ids()).containsExactlyInAnyOrder("shop", "the vault");
        assertThat(clients.isEmpty()).isFalse();
        assertThat(new OAuthClients(Map.of(), List.of()).isEmpty()).isTrue();
    }

    @Test
    void secondClientOfAnId_isAMistakeOfTheConfiguration() {
        assertThatThrownBy(() -> new OAuthClients(
                        Map.of("shop", new ClientProperties(Secret.of(SECRET), null)),
                        List.of(RegisteredClient.of("shop", Secret.of(SECRET)))))
                .isInstanceOf(LatchkeyConfigurationException.class)
                .hasMessageContaining("registered as 'shop'");
    }

    @Test
    void grantTypes_areThoseOfTheClient_andAllWithoutAny() {
        assertThat(clients.mayUse("shop", "password")).isTrue();
        assertThat(clients.mayUse("the vault", "refresh_token")).isTrue();
        assertThat(clients.mayUse("the vault", "password")).isFalse();
        assertThat(clients.mayUse("", "password")).isTrue();
    }

    /** RFC 6749 section 2.3.1 asks for form-encoded parts, and many clients send plain parts. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "the vault:0123456789+bcd/fghi%6Akl",
                "the+vault:0123456789%2Bbcd%2Ffghi%256Akl",
                "the%20vault:0123456789%2bbcd/fghi%256Akl"
            })
    void pair_isRight_plainAndFormEncoded(String pair) {
        assertThat(basic(pair).id()).isEqualTo("the vault");
        assertThat(basic(pair).refusal()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"the vault:wrong", "the vault", ":", "", "the vault:0123456789+bcd/fghi%6Akl ", "nobody:x"})
    void wrongPair_isInvalid(String pair) {
        OAuthClients.Decision decision = basic(pair);
        assertThat(decision.isClient()).isFalse();
        assertThat(decision.refusal()).contains(TokenRefusal.INVALID_CLIENT);
        assertThat(decision.refusalUnlessClient()).contains(TokenRefusal.INVALID_CLIENT);
    }

    /** Bytes of each place in Base64, with and without padding. */
    @Test
    void pair_isReadWithAndWithoutPadding_inLettersOfAnyCase() {
        for (String id : List.of("a", "ab", "abc", "abcd")) {
            OAuthClients own =
                    new OAuthClients(Map.of(), List.of(RegisteredClient.of(id, Secret.of("\u00fc\u00ff?>~" + SECRET))));
            String encoded = Base64.getEncoder()
                    .encodeToString((id + ":\u00fc\u00ff?>~" + SECRET).getBytes(StandardCharsets.UTF_8));
            assertThat(own.of(withAuthorization("Basic " + encoded), Map.of()).id())
                    .isEqualTo(id);
            assertThat(own.of(withAuthorization("bASIC " + encoded.replace("=", "") + " "), Map.of())
                            .id())
                    .isEqualTo(id);
        }
    }

    /** Such a length has a last character of six bits without meaning. */
    @Test
    void rightPairWithAFurtherCharacter_isInvalid() {
        OAuthClients own = new OAuthClients(Map.of(), List.of(RegisteredClient.of("ab", Secret.of(SECRET))));
        String whole = header("ab:" + SECRET);
        assertThat(own.of(withAuthorization(whole), Map.of()).id()).isEqualTo("ab");
        assertThat(own.of(withAuthorization(whole + "A"), Map.of()).refusal()).contains(TokenRefusal.INVALID_CLIENT);
    }

    @Test
    void secretThatIsNoFormEncoding_isComparedAsItIs() {
        String odd = "100%-0123456789abcdefghij";
        OAuthClients own = new OAuthClients(Map.of(), List.of(RegisteredClient.of("ab", Secret.of(odd))));
        assertThat(own.of(withAuthorization(header("ab:" + odd)), Map.of()).id())
                .isEqualTo("ab");
        assertThat(own.of(withAuthorization(header("ab:" + odd + "x")), Map.of())
                        .refusal())
                .contains(TokenRefusal.INVALID_CLIENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"c2hvc", "c2hv*A", "c2-v", "====", "c2hv cDo="})
    void textOutsideOfBase64_isInvalid(String encoded) {
        assertThat(clients.of(withAuthorization("Basic " + encoded), Map.of()).refusal())
                .contains(TokenRefusal.INVALID_CLIENT);
    }

    @Test
    void clientInTheBody_needsItsSecret() {
        EndpointRequest request = withAuthorization();
        assertThat(clients.of(request, Map.of("client_id", "shop", "client_secret", SECRET))
                        .id())
                .isEqualTo("shop");
        assertThat(clients.of(request, Map.of("client_id", "shop")).refusal()).contains(TokenRefusal.INVALID_CLIENT);
        assertThat(clients.of(request, Map.of("client_secret", SECRET)).refusal())
                .contains(TokenRefusal.INVALID_CLIENT);
        assertThat(clients.of(request, Map.of())).isEqualTo(OAuthClients.Decision.NONE);
        assertThat(clients.of(request, Map.of()).refusalUnlessClient()).contains(TokenRefusal.INVALID_CLIENT);
    }

    @Test
    void twoWaysAtOnce_areInvalid_andSoIsAnotherIdInTheBody() {
        String right = header("shop:" + SECRET);
        assertThat(clients.of(withAuthorization(right), Map.of("client_secret", SECRET))
                        .refusal())
                .contains(TokenRefusal.INVALID_REQUEST);
        assertThat(clients.of(withAuthorization(right, right), Map.of()).refusal())
                .contains(TokenRefusal.INVALID_REQUEST);
        assertThat(clients.of(withAuthorization(right), Map.of("client_id", "the vault"))
                        .refusal())
                .contains(TokenRefusal.INVALID_REQUEST);
        assertThat(clients.of(withAuthorization(right), Map.of("client_id", "shop"))
                        .id())
                .isEqualTo("shop");
        assertThat(clients.of(withAuthorization(header("shop:wrong")), Map.of("client_id", "the vault"))
                        .refusal())
                .contains(TokenRefusal.INVALID_CLIENT);
    }

    /** A service without clients ignores the fields of clients: HTTP Basic may be of the service itself. */
    @Test
    void serviceWithoutClients_authenticatesNone() {
        assertThat(new OAuthClients(Map.of(), List.of())
                        .of(withAuthorization("Basic x", "Basic y"), Map.of("client_secret", "z")))
                .isEqualTo(OAuthClients.Decision.NONE);
    }

    @Test
    void bearerTokenBesideAPair_isNoSecondPair() {
        assertThat(clients.of(withAuthorization("Bearer abc", header("shop:" + SECRET)), Map.of())
                        .id())
                .isEqualTo("shop");
    }

    private OAuthClients.Decision basic(String pair) {
        return clients.of(withAuthorization(header(pair)), Map.of());
    }

    private static String header(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private static EndpointRequest withAuthorization(String... values) {
        return new EndpointRequest(
                RequestContext.none().withHeader("Authorization", values), Map.of(), null, new byte[0]);
    }
}
