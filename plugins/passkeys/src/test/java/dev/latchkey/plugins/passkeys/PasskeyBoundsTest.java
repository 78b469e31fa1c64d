package dev.latchkey.plugins.passkeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.webauthn4j.data.attestation.authenticator.RSACOSEKey;
import com.webauthn4j.data.attestation.statement.COSEAlgorithmIdentifier;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The lengths of fields, the allowed origins of a service, and the kept registrations. */
class PasskeyBoundsTest {

    private static Map<String, Secret> fields(int id, int client, int authenticator, int signature, int handle) {
        Map<String, Secret> fields = new HashMap<>();
        fields.put(PasskeyFields.CREDENTIAL_ID, ofBytes(id));
        fields.put(PasskeyFields.CLIENT_DATA_JSON, ofBytes(client));
        fields.put(PasskeyFields.AUTHENTICATOR_DATA, ofBytes(authenticator));
        fields.put(PasskeyFields.SIGNATURE, ofBytes(signature));
        fields.put(PasskeyFields.USER_HANDLE, ofBytes(handle));
        return fields;
    }

    private static Secret ofBytes(int length) {
        return Secret.of(Base64Url.encode(new byte[length]));
    }

    private static Optional<Assertion> read(Map<String, Secret> fields) {
        return Assertion.of(name -> Optional.ofNullable(fields.get(name)));
    }

    @Test
    void longestFields_areRead() {
        Assertion read = read(fields(255, 2_048, 2_048, 1_024, 64)).orElseThrow();
        assertThat(read.credentialId()).hasSize(255);
        assertThat(read.clientData()).hasSize(2_048);
        assertThat(read.authenticatorData()).hasSize(2_048);
        assertThat(read.signature()).hasSize(1_024);
        assertThat(read.userHandle()).hasSize(64);
        assertThat(read.id()).isEqualTo(Base64Url.encode(new byte[255]));
    }

    @ParameterizedTest
    @CsvSource({
        "256, 1, 1, 1, 1",
        "1, 2049, 1, 1, 1",
        "1, 1, 2049, 1, 1",
        "1, 1, 1, 1025, 1",
        "1, 1, 1, 1, 65",
        "0, 1, 1, 1, 1",
        "1, 0, 1, 1, 1",
        "1, 1, 0, 1, 1",
        "1, 1, 1, 0, 1"
    })
    void longerAndEmptyFields_areNone(int id, int client, int authenticator, int signature, int handle) {
        assertThat(read(fields(id, client, authenticator, signature, handle))).isEmpty();
    }

    @Test
    void handle_mayBeLeftOut_orEmpty() {
        assertThat(read(fields(1, 1, 1, 1, 0)).orElseThrow().userHandle()).isNull();
        Map<String, Secret> without = fields(1, 1, 1, 1, 1);
        without.remove(PasskeyFields.USER_HANDLE);
        assertThat(read(without).orElseThrow().userHandle()).isNull();
        without.put(PasskeyFields.USER_HANDLE, Secret.of("*"));
        assertThat(read(without)).isEmpty();
    }

    /** The column has 2,000 characters, for the credential id of 32 bytes too. */
    @ParameterizedTest
    @CsvSource({"1433, true", "1434, false"})
    void publicKeyAboveTheLengthOfItsColumn_isNotRegistered(int modulusBytes, boolean isTaken) throws Exception {
        BigInteger modulus = BigInteger.ONE.shiftLeft(modulusBytes * 8 - 1).setBit(0);
        Authenticator authenticator = new Authenticator();
        authenticator.key = RSACOSEKey.create(
                (RSAPublicKey) KeyFactory.getInstance("RSA")
                        .generatePublic(new RSAPublicKeySpec(modulus, RSAKeyGenParameterSpec.F4)),
                COSEAlgorithmIdentifier.RS256);
        Desk desk = new Desk();
        Map<String, Object> options =
                desk.own.begin("ada", Desk.ADA, Map.of(), RequestContext.none()).orElseThrow();
        assertThat(desk.confirm("ada", authenticator.register(options)).isPresent())
                .isEqualTo(isTaken);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.com",
                "https://login.example.com",
                "https://example.com:8443",
                "https://a.b.example.com:1"
            })
    void originOfTheDomain_isTaken(String origin) {
        assertThat(new RelyingParty("example.com", "n".repeat(64), Set.of(origin)).origins())
                .containsExactly(origin);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example.com",
                "http://example.com",
                "https://example.com/",
                "https://example.com/login",
                "https://example.com?x",
                "https://user@example.com",
                "https://Example.com",
                "https://notexample.com",
                "https://example.com.evil.test",
                "https://",
                "https:example.com",
                "http://localhost",
                "not an origin"
            })
    void otherOrigin_isRefused(String origin) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RelyingParty("example.com", "n", Set.of(origin)))
                .withMessageContaining("The origin '" + origin + "' is not https://example.com");
    }

    @Test
    void plainHttp_isForLocalhostAlone() {
        assertThat(new RelyingParty("localhost", "n", Set.of("http://localhost:8080")).origins())
                .hasSize(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RelyingParty("localhost", "n", Set.of("http://a.localhost")));
        assertThat(RelyingParty.of("example.com", "n").origins()).containsExactly("https://example.com");
    }

    @Test
    void domainAndName_haveTheirForm() {
        for (String id : List.of("", "Example.com", "-example.com", "example.com.", "https://example.com", "a b")) {
            assertThatIllegalArgumentException().isThrownBy(() -> RelyingParty.of(id, "n"));
        }
        assertThat(RelyingParty.of("a", "n").id()).isEqualTo("a");
        for (String name : List.of("", " ", "n".repeat(65))) {
            assertThatIllegalArgumentException().isThrownBy(() -> RelyingParty.of("example.com", name));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new RelyingParty("example.com", "n", Set.of()));
    }
}
