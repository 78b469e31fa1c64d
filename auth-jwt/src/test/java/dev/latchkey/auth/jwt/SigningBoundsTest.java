package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last of what can be signed: the longest, the earliest, the latest. */
class SigningBoundsTest {

    private static final JwtClaims MINIMAL = JwtClaims.forSubject("a", Duration.ofHours(1));

    private static VerifiedJwt roundTrip(JwtClaims claims) {
        return Forge.verifier().verifyOrThrow(Forge.signer().sign(claims));
    }

    private static String payloadOf(String token) {
        return new String(
                Base64.getUrlDecoder().decode(token.substring(token.indexOf('.') + 1, token.lastIndexOf('.'))),
                StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(ints = {'!', '~'})
    void typeOfTheFirstOrLastVisibleCharacter_isTakenUpToItsGreatestLength(int character) {
        String type = Character.toString(character).repeat(255);
        String token = Forge.signer().withType(type).sign(MINIMAL);
        assertThat(Forge.verifier().expectingType(type).verifyOrThrow(token).type())
                .hasValue(type);
    }

    @Test
    void tokenAsLongAsVerifiersTake_isSigned() {
        String longest = "";
        for (String type : List.of("t", "tt", "ttt")) {
            for (int length = 5_900; length < 6_100; length++) {
                try {
                    longest = Forge.signer().withType(type).sign(MINIMAL.with("x", "x".repeat(length)));
                } catch (IllegalArgumentException e) {
                    break;
                }
                if (longest.length() == JwtVerifier.DEFAULT_MAX_LENGTH) {
                    assertThat(Forge.outcome(longest)).isEqualTo("verified");
                    return;
                }
            }
        }
        fail("no token of 8192 characters was signed, the last one has " + longest.length());
    }

    @Test
    void datesOfTheFirstAndTheLastSecond_areSigned_andNoneBeyond() {
        Instant first = Instant.parse("0001-01-01T00:00:00Z");
        Instant last = Instant.parse("9999-12-31T23:59:59Z");
        VerifiedJwt old = roundTrip(MINIMAL.withNotBefore(first));
        assertThat(old.notBefore()).hasValue(first);
        assertThat(payloadOf(Forge.signer().sign(MINIMAL.withNotBefore(last))))
                .contains("\"nbf\":" + last.getEpochSecond());
        assertThatIllegalArgumentException().isThrownBy(() -> MINIMAL.withNotBefore(first.minusSeconds(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> MINIMAL.withNotBefore(last.plusSeconds(1)));
        Duration longest = Duration.ofSeconds(last.getEpochSecond());
        assertThat(roundTrip(JwtClaims.forSubject("a", longest).withIssuedAt(Instant.EPOCH))
                        .expiresAt())
                .hasValue(last);
        assertThatIllegalArgumentException().isThrownBy(() -> JwtClaims.forSubject("a", longest.plusSeconds(1)));
    }

    @Test
    void claims_printNothingPersonal() {
        JwtClaims claims = MINIMAL.withIssuer("i").with("email", "ann@example.org");
        assertThat(claims).hasToString("JwtClaims[lifetime=PT1H]");
        assertThat(roundTrip(claims)).hasToString("VerifiedJwt[****]");
    }

    @Test
    void signerOfARing_signsWithTheKeyThatSigns() {
        HmacKey older = HmacKey.generate(HmacAlgorithm.HS512);
        KeyRing ring = KeyRing.of(Forge.KEY).alsoVerifying(older, Instant.MAX);
        String token = JwtSigner.with(ring).withTimeSource(Forge.CLOCK).sign(MINIMAL);
        assertThat(Forge.outcome(token)).isEqualTo("verified");
    }
}
