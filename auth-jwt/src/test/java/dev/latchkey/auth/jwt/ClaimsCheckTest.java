package dev.latchkey.auth.jwt;

import static dev.latchkey.auth.jwt.Forge.NOW;
import static dev.latchkey.auth.jwt.Forge.claims;
import static dev.latchkey.auth.jwt.Forge.outcome;
import static dev.latchkey.auth.jwt.Forge.token;
import static dev.latchkey.auth.jwt.Forge.verifier;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of the claims. The present is 1,800,000,000 seconds. */
class ClaimsCheckTest {

    @ParameterizedTest
    @ValueSource(strings = {"null", "\"1800003600\"", "true", "{}", "[]", "[1800003600]", "\"\""})
    void dateThatIsNoNumber_isRefused(String value) {
        assertThat(outcome(token("{\"exp\":" + value + "}"))).isEqualTo("ill_typed_claim");
        assertThat(outcome(token(claims("\"nbf\":" + value)))).isEqualTo("ill_typed_claim");
        assertThat(outcome(token(claims("\"iat\":" + value)))).isEqualTo("ill_typed_claim");
    }

    @Test
    void missingExpiry_isRefusedUnlessWaived() {
        assertThat(outcome(token("{}"))).isEqualTo("no_expiry");
        assertThat(outcome(verifier().acceptingTokensWithoutExpiry().verify(token("{}"))))
                .isEqualTo("verified");
        assertThat(outcome(verifier().acceptingTokensWithoutExpiry().verify(token("{\"exp\":null}"))))
                .isEqualTo("ill_typed_claim");
        assertThat(outcome(verifier().acceptingTokensWithoutExpiry().verify(token("{\"exp\":1800000000}"))))
                .isEqualTo("expired");
        assertThat(outcome(token("{\"\\u0065xp\":1800000001}"))).isEqualTo("verified");
    }

    @ParameterizedTest
    @CsvSource({
        "1799999999, expired",
        "1800000000, expired",
        "1800000001, verified",
        "1800000000.0, expired",
        "1800000000.000, expired",
        "1800000000.001, verified",
        "1800000000.0000000000000000000000000001, verified",
        "1799999999.9999999999999999999999, expired",
        "1.8e9, expired",
        "18E8, expired",
        "18000000001e-1, verified",
        "1.8000000001e9, verified",
        "1.8e+9, expired",
        "1.8e10, verified",
        "0, expired",
        "-1, expired",
        "-0, expired",
        "253402300799, verified",
        "253402300799.9, verified",
        "253402300800, ill_typed_claim",
        "2534023008e2, ill_typed_claim",
        "-62135596800, expired",
        "-62135596801, ill_typed_claim",
        "9223372036854775807, ill_typed_claim",
        "9223372036854775808, ill_typed_claim",
        "9223372036854776, ill_typed_claim",
        "18446744075509551616, ill_typed_claim",
        "1e18, ill_typed_claim",
        "1e400, ill_typed_claim",
        "1e999, ill_typed_claim",
        "1e1000, malformed_claims",
        "-1e400, ill_typed_claim",
        "1e-400, expired",
        "1e2147483648, malformed_claims"
    })
    void expiry_isComparedExactly(String expiry, String outcome) {
        assertThat(outcome(token("{\"exp\":" + expiry + "}"))).isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({
        "1799999999, verified",
        "1800000000, verified",
        "1800000001, not_yet_valid",
        "1800000000.0, verified",
        "1800000000.0000000000000000000000000001, not_yet_valid",
        "1.8e9, verified",
        "18000000001e-1, not_yet_valid",
        "253402300800, ill_typed_claim"
    })
    void notBefore_isComparedExactly(String notBefore, String outcome) {
        assertThat(outcome(token(claims("\"nbf\":" + notBefore)))).isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({"1799999940, expired", "1799999941, verified", "1799999940.001, verified"})
    void skew_prolongsTheExpiryByNoMoreThanItself(String expiry, String outcome) {
        JwtVerifier skewed = verifier().withSkew(Duration.ofSeconds(60));
        assertThat(outcome(skewed.verify(token("{\"exp\":" + expiry + "}")))).isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({"1800000060, verified", "1800000060.001, not_yet_valid", "1800000061, not_yet_valid"})
    void skew_advancesTheStartByNoMoreThanItself(String notBefore, String outcome) {
        JwtVerifier skewed = verifier().withSkew(Duration.ofSeconds(60));
        assertThat(outcome(skewed.verify(token(claims("\"nbf\":" + notBefore)))))
                .isEqualTo(outcome);
    }

    @Test
    void skew_isCapped() {
        assertThat(outcome(verifier().withSkew(Duration.ofMinutes(5)).verify(token("{\"exp\":1799999701}"))))
                .isEqualTo("verified");
        assertThatThrownBy(() -> verifier().withSkew(Duration.ofMinutes(5).plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> verifier().withSkew(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Two characters of the name in a single character: the names of registered claims are compared as numbers. */
    @ParameterizedTest
    @ValueSource(strings = {"iss", "sub", "aud", "exp", "nbf", "iat", "jti"})
    void nameOfOtherCharacters_isNoRegisteredClaim(String name) {
        char two = (char) (name.charAt(1) << 8 | name.charAt(2));
        char first = (char) (name.charAt(0) << 8 | name.charAt(1));
        for (String other : List.of(name.charAt(0) + "\0" + two, "\0" + first + name.charAt(2))) {
            JwtClaims claims =
                    JwtClaims.forSubject("mallory", Duration.ofHours(1)).with(other, "admin");
            VerifiedJwt verified = verifier().verifyOrThrow(Forge.signer().sign(claims));
            assertThat(verified.subject()).contains("mallory");
            assertThat(verified.issuer()).isEmpty();
            assertThat(verified.text(other)).contains("admin");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1799999939, too_old",
        "1799999940, verified",
        "1800000000, verified",
        "1800000001, verified",
        "1800000001.001, not_yet_valid",
        "1799999939.999, too_old"
    })
    void maximumAge_needsAnIssueTimeWithinIt(String issuedAt, String outcome) {
        JwtVerifier young = verifier().withMaxAge(Duration.ofSeconds(60));
        assertThat(outcome(young.verify(token(claims("\"iat\":" + issuedAt))))).isEqualTo(outcome);
        assertThat(outcome(young.verify(token(claims(""))))).isEqualTo("too_old");
    }

    @Test
    void maximumAgeOutOfRange_isRefused() {
        for (Duration age : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(36526)}) {
            assertThatThrownBy(() -> verifier().withMaxAge(age)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(outcome(verifier().withMaxAge(Duration.ofDays(36525)).verify(token(claims("\"iat\":1")))))
                .isEqualTo("verified");
    }

    @Test
    void maximumAge_allowsForSkew() {
        JwtVerifier young = verifier().withMaxAge(Duration.ofSeconds(60)).withSkew(Duration.ofSeconds(10));
        assertThat(outcome(young.verify(token(claims("\"iat\":1799999930"))))).isEqualTo("verified");
        assertThat(outcome(young.verify(token(claims("\"iat\":1799999929"))))).isEqualTo("too_old");
        assertThat(outcome(young.verify(token(claims("\"iat\":1800000010"))))).isEqualTo("verified");
        assertThat(outcome(young.verify(token(claims("\"iat\":1800000011"))))).isEqualTo("not_yet_valid");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"iss\":1",
                "\"iss\":[\"me\"]",
                "\"iss\":null",
                "\"sub\":1",
                "\"sub\":{}",
                "\"sub\":null",
                "\"sub\":[\"a\"]",
                "\"jti\":1",
                "\"jti\":null",
                "\"jti\":true",
                "\"aud\":1",
                "\"aud\":null",
                "\"aud\":[]",
                "\"aud\":[ ]",
                "\"aud\":[1]",
                "\"aud\":[\"us\",1]",
                "\"aud\":[[\"us\"]]",
                "\"aud\":{\"us\":1}",
                "\"aud\":[\"us\",null]",
                "\"aud\":true"
            })
    void registeredClaimOfAnotherType_isRefused(String member) {
        assertThat(outcome(verifier().acceptingAnyAudience().verify(token(claims(member)))))
                .isEqualTo("ill_typed_claim");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"iss\":\"me\" | verified", "\"iss\":\"m\\u0065\" | verified", "\"iss\":\"me2\" | wrong_issuer",
                "\"iss\":\"m\" | wrong_issuer", "\"iss\":\"ME\" | wrong_issuer", "\"iss\":\"\" | wrong_issuer",
                "\"iss\":\" me\" | wrong_issuer", "\"x\":\"me\" | wrong_issuer", "\"iss\":[\"me\"] | ill_typed_claim"
            })
    void expectedIssuer_isComparedExactly(String member, String outcome) {
        assertThat(outcome(verifier().expectingIssuer("me").verify(token(claims(member)))))
                .isEqualTo(outcome);
    }

    @Test
    void expectedTextWithABackslash_isNotTakenForAnEscape() {
        JwtVerifier verifier = verifier().expectingIssuer("a\\u0062");
        assertThat(outcome(verifier.verify(token(claims("\"iss\":\"a\\u0062\"")))))
                .isEqualTo("wrong_issuer");
        assertThat(outcome(verifier.verify(token(claims("\"iss\":\"a\\\\u0062\"")))))
                .isEqualTo("verified");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"aud\":\"us\" | verified",
                "\"aud\":[\"us\"] | verified",
                "\"aud\":[ \"them\" , \"us\" ] | verified",
                "\"aud\":[\"them\",\"u\\u0073\"] | verified",
                "\"aud\":\"them\" | wrong_audience",
                "\"aud\":[\"them\",\"usa\"] | wrong_audience",
                "\"aud\":\"us2\" | wrong_audience",
                "\"aud\":\"US\" | wrong_audience",
                "\"x\":\"us\" | wrong_audience",
                "\"aud\":[] | ill_typed_claim"
            })
    void expectedAudience_isOneOfThoseNamed(String member, String outcome) {
        assertThat(outcome(verifier().expectingAudience("us").verify(token(claims(member)))))
                .isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"aud\":\"us\" | verified",
                "\"aud\":\"our old name\" | verified",
                "\"aud\":[\"them\",\"our old n\\u0061me\"] | verified",
                "\"aud\":[\"us\",\"our old name\"] | verified",
                "\"aud\":\"them\" | wrong_audience",
                "\"aud\":[\"them\",\"our\"] | wrong_audience",
                "\"aud\":\"us,our old name\" | wrong_audience",
                "\"x\":\"us\" | wrong_audience",
                "\"aud\":[] | ill_typed_claim"
            })
    void severalExpectedAudiences_acceptATokenForOneOfThem(String member, String outcome) {
        JwtVerifier verifier =
                verifier().expectingAudience("replaced").expectingAudienceAmong(List.of("us", "our old name"));
        assertThat(outcome(verifier.verify(token(claims(member))))).isEqualTo(outcome);
        assertThat(outcome(verifier.verify(token(claims("\"aud\":\"replaced\"")))))
                .isEqualTo("wrong_audience");
    }

    @Test
    void noExpectedAudienceAtAll_isAMistake() {
        assertThatThrownBy(() -> verifier().expectingAudienceAmong(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("acceptingAnyAudience");
    }

    @Test
    void tokenForSomebody_isRefusedByACallerThatExpectsNoAudience() {
        String token = token(claims("\"aud\":\"them\""));
        assertThat(outcome(token)).isEqualTo("wrong_audience");
        assertThat(outcome(verifier().acceptingAnyAudience().verify(token))).isEqualTo("verified");
        assertThat(outcome(verifier()
                        .acceptingAnyAudience()
                        .expectingAudience("us")
                        .verify(token)))
                .isEqualTo("wrong_audience");
    }

    @Test
    void requiredClaims_mustAllBeThere() {
        JwtVerifier verifier = verifier().requiringClaims("a").requiringClaims("b", "sub");
        assertThat(outcome(verifier.verify(token(claims("\"a\":1,\"b\":\"null\",\"sub\":\"x\"")))))
                .isEqualTo("verified");
        assertThat(outcome(verifier.verify(token(claims("\"\\u0061\":1,\"b\":2,\"sub\":\"x\"")))))
                .isEqualTo("verified");
        assertThat(outcome(verifier.verify(token(claims("\"a\":1,\"sub\":\"x\"")))))
                .isEqualTo("missing_claim");
        assertThat(outcome(verifier.verify(token(claims("\"b\":1,\"sub\":\"x\"")))))
                .isEqualTo("missing_claim");
        assertThat(outcome(verifier.verify(token(claims("\"a\":1,\"b\":1,\"c\":{\"sub\":\"x\"}")))))
                .isEqualTo("missing_claim");
    }

    @Test
    void registeredClaimThatIsRequired_isFoundInATokenOfRegisteredClaimsAlone() {
        JwtVerifier verifier = verifier().requiringClaims("sub", "jti");
        assertThat(outcome(verifier.verify(token(claims("\"sub\":\"x\",\"jti\":\"y\"")))))
                .isEqualTo("verified");
        assertThat(outcome(verifier.verify(token(claims("\"sub\":\"x\""))))).isEqualTo("missing_claim");
    }

    @Test
    void tokenBoundToAKey_isRefusedIfAsked() {
        JwtVerifier bearers = verifier().rejectingBoundTokens();
        for (String bound : List.of("\"cnf\":{\"jkt\":\"x\"}", "\"\\u0063nf\":{}", "\"sub\":\"x\",\"cnf\":\"null\"")) {
            assertThat(outcome(bearers.verify(token(claims(bound))))).isEqualTo("bound_to_key");
            assertThat(outcome(token(claims(bound)))).isEqualTo("verified");
        }
        for (String unbound : List.of("", "\"cnf\":null", "\"a\":{\"cnf\":{}}", "\"cnf \":{}")) {
            assertThat(outcome(bearers.verify(token(claims(unbound))))).isEqualTo("verified");
        }
        assertThat(outcome(bearers.verify(token("{\"exp\":1,\"cnf\":{}}")))).isEqualTo("expired");
    }

    @Test
    void requiredClaimOfAnEarlierToken_isNotFoundInTheNext() {
        JwtVerifier verifier = verifier().requiringClaims("x");
        // Behind the blanks it stands where the buffers' next token does not reach.
        assertThat(outcome(verifier.verify(token("{\"exp\":1800003600        ,\"x\":1}"))))
                .isEqualTo("verified");
        assertThat(outcome(verifier.verify(token("{\"exp\":1800003600}")))).isEqualTo("missing_claim");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "null | missing_claim",
                " null  | missing_claim",
                "false | verified",
                "0 | verified",
                "'' | verified",
                "[] | verified",
                "[null] | verified",
                "{} | verified",
                "{\"tenant\":null} | verified"
            })
    void requiredClaimThatIsNull_isAbsent(String value, String outcome) {
        String json = value.replace("''", "\"\"");
        JwtVerifier verifier = verifier().requiringClaims("tenant");
        assertThat(outcome(verifier.verify(token(claims("\"tenant\":" + (json.isEmpty() ? "\"\"" : json))))))
                .isEqualTo(outcome);
        assertThat(outcome(verifier.verify(
                        token("{\"exp\":1800003600,\"tenant\": " + (json.isEmpty() ? "\"\"" : json) + " }"))))
                .isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1800000000, verified",
        "0, 1800000001, verified",
        "0, 1800000001.000, verified",
        "0, 1800000001.0001, not_yet_valid",
        "0, 1800000002, not_yet_valid",
        "0, 253402300799, not_yet_valid",
        "1, 1800000001, verified",
        "1, 1800000002, not_yet_valid",
        "60, 1800000060, verified",
        "60, 1800000060.001, not_yet_valid",
        "60, 1800000061, not_yet_valid",
        "60, 18e8, verified",
        "60, 18e9, not_yet_valid"
    })
    void tokenDatedInTheFuture_isRefusedBeyondTheSkewOrASecond(int skew, String issuedAt, String outcome) {
        JwtVerifier skewed = verifier().withSkew(Duration.ofSeconds(skew));
        assertThat(outcome(skewed.verify(token(claims("\"iat\":" + issuedAt))))).isEqualTo(outcome);
        assertThat(outcome(skewed.acceptingTokensWithoutExpiry().verify(token("{\"iat\":" + issuedAt + "}"))))
                .isEqualTo(outcome);
    }

    @Test
    void presentInsideASecond_isNotRounded() {
        InstantSource late = InstantSource.fixed(Instant.ofEpochSecond(1_800_000_000L, 999_000_000));
        assertThat(outcome(verifier().withTimeSource(late).verify(token("{\"exp\":1800000001}"))))
                .isEqualTo("verified");
        assertThat(outcome(verifier().withTimeSource(late).verify(token("{\"exp\":1800000000.999}"))))
                .isEqualTo("expired");
        assertThat(outcome(verifier().withTimeSource(late).verify(token(claims("\"nbf\":1800000001")))))
                .isEqualTo("not_yet_valid");
    }

    @Test
    void verifyOrThrow_throwsTheDefectWithoutAStackTrace() {
        assertThatThrownBy(() -> verifier().verifyOrThrow(token("{\"exp\":1}")))
                .isInstanceOfSatisfying(InvalidJwtException.class, e -> {
                    assertThat(e.defect()).isEqualTo(JwtDefect.EXPIRED);
                    assertThat(e.getStackTrace()).isEmpty();
                    assertThat(e).hasMessage("expired");
                });
        assertThat(verifier().verifyOrThrow(token(claims(""))).expiresAt()).hasValue(NOW.plusSeconds(3600));
    }
}
