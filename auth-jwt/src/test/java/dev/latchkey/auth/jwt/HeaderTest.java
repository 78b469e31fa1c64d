package dev.latchkey.auth.jwt;

import static dev.latchkey.auth.jwt.Forge.claims;
import static dev.latchkey.auth.jwt.Forge.outcome;
import static dev.latchkey.auth.jwt.Forge.token;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The header of tokens with a valid MAC. */
class HeaderTest {

    private static final String CLAIMS = claims("\"sub\":\"a\"");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"alg\":\"HS256\"}",
                "{\"typ\":\"JWT\",\"alg\":\"HS256\"}",
                "{\"alg\":\"HS256\",\"typ\":\"at+jwt\",\"kid\":\"k1\",\"cty\":\"x\"}",
                " {\r\n\t\"alg\" : \"HS256\" } ",
                "{\"alg\":\"HS256\",\"kid\":\"../../etc/passwd\"}",
                "{\"alg\":\"HS256\",\"kid\":\"' OR 1=1 --\"}",
                "{\"alg\":\"HS256\",\"jwk\":{\"kty\":\"oct\",\"k\":\"AA\"},\"jku\":\"http://x\",\"x5u\":\"http://x\",\"x5c\":[1]}"
            })
    void headerOfAnotherLibrary_isRead(String header) {
        assertThat(outcome(token(header, CLAIMS))).isEqualTo("verified");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"typ\":\"JWT\"}",
                "{\"alg\":null}",
                "{\"alg\":256}",
                "{\"alg\":[\"HS256\"]}",
                "{\"alg\":\"\"}",
                "{\"alg\":\"none\"}",
                "{\"alg\":\"None\"}",
                "{\"alg\":\"NONE\"}",
                "{\"alg\":\" none\"}",
                "{\"alg\":\"nOnE \"}",
                "{\"alg\":\"hs256\"}",
                "{\"alg\":\"HS256 \"}",
                "{\"alg\":\" HS256\"}",
                "{\"alg\":\"HS25\"}",
                "{\"alg\":\"HS2566\"}",
                "{\"alg\":\"HS384\"}",
                "{\"alg\":\"HS512\"}",
                "{\"alg\":\"RS256\"}",
                "{\"alg\":\"HS257\"}",
                "{\"alg\":\"\\u0048S256\"}"
            })
    void otherAlgorithmThanTheKeys_isRefusedThoughTheMacHolds(String header) {
        assertThat(outcome(token(header, CLAIMS))).isEqualTo("wrong_algorithm");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "None", "HS256", "HS512"})
    void tokenWithoutMac_isRefused_withEachAlgorithm(String algorithm) {
        String unsigned = Forge.encoded("{\"alg\":\"" + algorithm + "\"}") + "." + Forge.encoded(CLAIMS);
        assertThat(outcome(unsigned + ".")).isEqualTo("malformed");
        assertThat(outcome(unsigned)).isEqualTo("malformed");
    }

    @Test
    void algorithmOfTheSameFamily_isNotForTheTokenToChoose() {
        byte[] key = Base64.getDecoder().decode("A".repeat(83) + "B" + "CCCC");
        String input = Forge.encoded("{\"alg\":\"HS512\"}") + "." + Forge.encoded(CLAIMS);
        String hs512 = input + "." + Forge.mac("HmacSHA512", key, input);
        assertThat(outcome(JwtVerifier.with(HmacKey.of(key, HmacAlgorithm.HS256))
                        .withTimeSource(Forge.CLOCK)
                        .verify(hs512)))
                .isEqualTo("bad_mac");
        assertThat(outcome(JwtVerifier.with(HmacKey.of(key, HmacAlgorithm.HS512))
                        .withTimeSource(Forge.CLOCK)
                        .verify(hs512)))
                .isEqualTo("verified");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"crit\":[\"b64\"]",
                "\"crit\":[]",
                "\"crit\":null",
                "\"crit\":[\"exp\"]",
                "\"b64\":true",
                "\"b64\":false",
                "\"b64\":null",
                "\"zip\":\"DEF\"",
                "\"zip\":null",
                "\"\\u0063rit\":[]"
            })
    void criticalExtension_isRefused_forEveryValue(String member) {
        assertThat(outcome(token("{\"alg\":\"HS256\"," + member + "}", CLAIMS))).isEqualTo("unsupported_header");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "\"HS256\"",
                "{\"alg\":\"HS256\"",
                "{\"alg\":\"HS256\"}x",
                "{\"alg\":\"HS256\",\"alg\":\"HS256\"}",
                "{\"alg\":\"HS256\",\"\\u0061lg\":\"none\"}",
                "{\"alg\":\"HS256\",\"x\":{\"y\":1,\"y\":1}}",
                "{\"alg\":\"HS256\",}",
                "{\"alg\":\"HS256\",\"typ\":1}",
                "{\"alg\":\"HS256\",\"kid\":null}",
                "{\"alg\":\"HS256\",\"cty\":[]}"
            })
    void headerThatIsNoStrictJsonObject_isRefused(String header) {
        assertThat(outcome(token(header, CLAIMS))).isEqualTo(header.isEmpty() ? "malformed" : "malformed_header");
    }

    @ParameterizedTest
    @CsvSource({
        "at+jwt, at+jwt, verified",
        "at+jwt, AT+JWT, verified",
        "at+jwt, application/at+jwt, verified",
        "application/at+jwt, at+jwt, verified",
        "at+jwt, APPLICATION/At+Jwt, verified",
        "at+jwt, JWT, wrong_type",
        "at+jwt, at+jwt2, wrong_type",
        "at+jwt, text/at+jwt, wrong_type",
        "a/b, application/a/b, wrong_type",
        "JWT, JWT, verified",
        "JWT, jwt, verified",
        "at+jwt, '', wrong_type"
    })
    void expectedType_isComparedAsAMediaType(String expected, String actual, String outcome) {
        String header = "{\"alg\":\"HS256\",\"typ\":\"" + actual + "\"}";
        assertThat(outcome(Forge.verifier().expectingType(expected).verify(token(header, CLAIMS))))
                .isEqualTo(outcome);
    }

    @Test
    void missingType_isRefusedOnceOneIsExpected() {
        String token = token("{\"alg\":\"HS256\"}", CLAIMS);
        assertThat(outcome(token)).isEqualTo("verified");
        assertThat(outcome(Forge.verifier().expectingType("JWT").verify(token))).isEqualTo("wrong_type");
    }

    @Test
    void headerWithoutType_isWrittenOnRequest_andAcceptedUnlessOneIsExpected() {
        JwtSigner signer = JwtSigner.with(Forge.KEY.withId("1")).withTimeSource(Forge.CLOCK);
        String token = signer.withoutType().sign(JwtClaims.forSubject("a", Duration.ofHours(1)));
        assertThat(headerOf(token)).isEqualTo("{\"alg\":\"HS256\",\"kid\":\"1\"}");
        assertThat(outcome(token)).isEqualTo("verified");
        KeyRing ring = KeyRing.of(HmacKey.generate(HmacAlgorithm.HS256).withId("2"))
                .alsoVerifying(Forge.KEY.withId("1"), Instant.MAX);
        VerifiedJwt jwt = JwtVerifier.with(ring).withTimeSource(Forge.CLOCK).verifyOrThrow(token);
        assertThat(jwt.type()).isEmpty();
        assertThat(jwt.keyId()).hasValue("1");
        assertThat(outcome(Forge.verifier().expectingType("JWT").verify(token))).isEqualTo("wrong_type");
        assertThat(headerOf(
                        signer.withoutType().withType("at+jwt").sign(JwtClaims.forSubject("a", Duration.ofHours(1)))))
                .contains("at+jwt");
    }

    private static String headerOf(String token) {
        byte[] json = Base64.getUrlDecoder().decode(token.substring(0, token.indexOf('.')));
        return new String(json, StandardCharsets.UTF_8);
    }

    @Test
    void ownHeader_followsTheRfc() {
        String token = JwtSigner.with(Forge.KEY.withId("k \"1\""))
                .withType("at+jwt")
                .withTimeSource(Forge.CLOCK)
                .sign(JwtClaims.forSubject("a", Duration.ofHours(1)));
        assertThat(headerOf(token)).isEqualTo("{\"alg\":\"HS256\",\"typ\":\"at+jwt\",\"kid\":\"k \\\"1\\\"\"}");
        VerifiedJwt jwt = Forge.verifier().expectingType("at+jwt").verifyOrThrow(token);
        assertThat(jwt.type()).hasValue("at+jwt");
        assertThat(jwt.keyId()).hasValue("k \"1\"");
    }

    @Test
    void verifiedHeader_isReadAsAWhole() {
        String header = "{\"alg\":\"HS256\",\"typ\":\"at+jwt\",\"kid\":\"k1\"}";
        assertThat(Forge.verifier().verifyOrThrow(token(header, CLAIMS)).header())
                .isEqualTo(Map.of("alg", "HS256", "typ", "at+jwt", "kid", "k1"));
    }
}
