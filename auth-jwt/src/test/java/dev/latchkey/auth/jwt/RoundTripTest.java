package dev.latchkey.auth.jwt;

import static dev.latchkey.auth.jwt.Forge.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each signed text is read back unchanged, and an unreadable text is not signed. */
class RoundTripTest {

    private static final JwtClaims MINIMAL = JwtClaims.forSubject("a", Duration.ofHours(1));

    private static VerifiedJwt roundTrip(JwtClaims claims) {
        return Forge.verifier()
                .acceptingAnyAudience()
                .verifyOrThrow(Forge.signer().sign(claims));
    }

    private static String payloadOf(String token) {
        return new String(
                Base64.getUrlDecoder().decode(token.substring(token.indexOf('.') + 1, token.lastIndexOf('.'))),
                StandardCharsets.UTF_8);
    }

    @Test
    void minimalToken_isThreeClaims() {
        assertThat(payloadOf(Forge.signer().sign(MINIMAL)))
                .isEqualTo("{\"sub\":\"a\",\"iat\":1800000000,\"exp\":1800003600}");
    }

    @Test
    void registeredClaims_areWrittenAndReadBack() {
        JwtClaims claims = MINIMAL.withIssuer("iss \"x\"")
                .withAudience("aud")
                .withNotBefore(NOW.minusMillis(1))
                .withIssuedAt(NOW.minusMillis(1500))
                .withId("jti-\u00e9\ud83d\ude00");
        VerifiedJwt jwt = roundTrip(claims);
        assertThat(jwt.issuer()).hasValue("iss \"x\"");
        assertThat(jwt.subject()).hasValue("a");
        assertThat(jwt.audience()).containsExactly("aud");
        assertThat(jwt.notBefore()).hasValue(NOW.minusSeconds(1));
        assertThat(jwt.issuedAt()).hasValue(NOW.minusSeconds(2));
        assertThat(jwt.expiresAt()).hasValue(NOW.plusSeconds(3598));
        assertThat(jwt.id()).hasValue("jti-\u00e9\ud83d\ude00");
        assertThat(jwt.type()).hasValue("JWT");
        assertThat(jwt.keyId()).isEmpty();
        assertThat(jwt.claims().keySet()).containsExactly("iss", "sub", "aud", "iat", "nbf", "exp", "jti");
        assertThat(payloadOf(Forge.signer().sign(claims))).contains("\"aud\":\"aud\"");
    }

    @Test
    void audiences_areAListEvenIfThereIsOne() {
        assertThat(payloadOf(Forge.signer().sign(MINIMAL.withAudiences(List.of("x")))))
                .contains("\"aud\":[\"x\"]");
        assertThat(roundTrip(MINIMAL.withAudiences(List.of("x", "y"))).audience())
                .containsExactly("x", "y");
        assertThatIllegalArgumentException().isThrownBy(() -> MINIMAL.withAudiences(List.of()));
    }

    @Test
    void ownClaims_keepTheirValueAndType() {
        Map<String, Object> nested = new LinkedHashMap<>();
        nested.put("list", List.of(1L, "two", true, List.of(), Map.of()));
        nested.put("null", JsonNull.NULL);
        VerifiedJwt jwt = roundTrip(MINIMAL.with("text", "\u0000\u001f \"\\/\u007f\u00e9\u20ac\ud83d\ude00")
                .with("min", Long.MIN_VALUE)
                .with("max", Long.MAX_VALUE)
                .with("int", 7)
                .with("short", (short) -7)
                .with("byte", (byte) 0)
                .with("big", new BigInteger("9223372036854775808"))
                .with("fits", BigInteger.TEN)
                .with("decimal", new BigDecimal("-12345678901234567890.000000001"))
                .with("exponent", new BigDecimal("1E+30"))
                .with("double", 0.1)
                .with("float", 0.1f)
                .with("yes", true)
                .with("no", false)
                .with("none", JsonNull.NULL)
                .with("set", Set.of("one"))
                .with("object", nested));
        assertThat(jwt.text("text")).hasValue("\u0000\u001f \"\\/\u007f\u00e9\u20ac\ud83d\ude00");
        assertThat(jwt.wholeNumber("min")).hasValue(Long.MIN_VALUE);
        assertThat(jwt.wholeNumber("max")).hasValue(Long.MAX_VALUE);
        assertThat(jwt.wholeNumber("int")).hasValue(7L);
        assertThat(jwt.wholeNumber("short")).hasValue(-7L);
        assertThat(jwt.wholeNumber("byte")).hasValue(0L);
        assertThat(jwt.wholeNumber("fits")).hasValue(10L);
        assertThat(jwt.decimal("big")).hasValue(new BigDecimal("9223372036854775808"));
        assertThat(jwt.decimal("decimal")).hasValue(new BigDecimal("-12345678901234567890.000000001"));
        assertThat(jwt.decimal("exponent")).hasValue(new BigDecimal("1E+30"));
        assertThat(jwt.decimal("double")).hasValue(new BigDecimal("0.1"));
        assertThat(jwt.decimal("float")).hasValue(new BigDecimal("0.1"));
        assertThat(jwt.decimal("int")).hasValue(BigDecimal.valueOf(7));
        assertThat(jwt.bool("yes")).hasValue(true);
        assertThat(jwt.bool("no")).hasValue(false);
        assertThat(jwt.texts("set")).hasValue(List.of("one"));
        assertThat(jwt.object("object")).hasValue(nested);
        assertThat(jwt.text("none")).isEmpty();
        assertThat(jwt.text("absent")).isEmpty();
        assertThat(jwt.texts("absent")).isEmpty();
        assertThat(jwt.wholeNumber("absent")).isEmpty();
        assertThat(jwt.decimal("absent")).isEmpty();
        assertThat(jwt.claims())
                .contains(entry("none", JsonNull.NULL))
                .hasSize(20)
                .isSameAs(jwt.claims());
        assertThatThrownBy(() -> jwt.claims().put("a", 1)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void claimOfAnotherTypeThanAskedFor_isAnErrorThatNamesBoth() {
        VerifiedJwt jwt = roundTrip(MINIMAL.with("t", "secret")
                .with("n", 1.5)
                .with("b", true)
                .with("l", List.of(1))
                .with("o", Map.of()));
        assertThatThrownBy(() -> jwt.bool("t"))
                .isInstanceOf(ClaimTypeException.class)
                .hasMessage("Claim 't' is not a boolean but a string");
        assertThatThrownBy(() -> jwt.wholeNumber("n"))
                .hasMessage("Claim 'n' is not a whole number within the range of long but another number");
        assertThatThrownBy(() -> jwt.text("b")).hasMessage("Claim 'b' is not a string but a boolean");
        assertThatThrownBy(() -> jwt.object("l")).hasMessage("Claim 'l' is not an object but a list");
        assertThatThrownBy(() -> jwt.list("o")).hasMessage("Claim 'o' is not a list but an object");
        assertThatThrownBy(() -> jwt.texts("l")).isInstanceOf(ClaimTypeException.class);
        assertThatThrownBy(() -> jwt.decimal("t")).isInstanceOf(ClaimTypeException.class);
        assertThatThrownBy(() -> jwt.wholeNumber("t")).isInstanceOf(ClaimTypeException.class);
    }

    @Test
    void wholeNumber_mayBeWrittenInAnyWay() {
        VerifiedJwt jwt = Forge.verifier()
                .verifyOrThrow(Forge.token(Forge.claims("\"a\":1.0,\"b\":1e3,\"c\":-0,\"d\":12345678901234567890")));
        assertThat(jwt.wholeNumber("a")).hasValue(1L);
        assertThat(jwt.wholeNumber("b")).hasValue(1000L);
        assertThat(jwt.wholeNumber("c")).hasValue(0L);
        assertThatThrownBy(() -> jwt.wholeNumber("d")).isInstanceOf(ClaimTypeException.class);
    }

    @Test
    void integerIsALong_whereItFits() {
        BigInteger least = BigInteger.valueOf(Long.MIN_VALUE);
        BigInteger most = BigInteger.valueOf(Long.MAX_VALUE);
        for (BigInteger whole : List.of(least, most)) {
            assertThat(roundTrip(MINIMAL.with("x", whole)).claims()).containsEntry("x", whole.longValueExact());
        }
        for (BigInteger beyond : List.of(least.subtract(BigInteger.ONE), most.add(BigInteger.ONE))) {
            assertThat(roundTrip(MINIMAL.with("x", beyond)).claims()).containsEntry("x", new BigDecimal(beyond));
        }
    }

    @Test
    void fractionalDates_areCutToNanoseconds() {
        VerifiedJwt jwt =
                Forge.verifier().verifyOrThrow(Forge.token(Forge.claims("\"iat\":1.9999999999,\"nbf\":-0.5")));
        assertThat(jwt.issuedAt()).hasValue(Instant.ofEpochSecond(1, 999_999_999));
        assertThat(jwt.notBefore()).hasValue(Instant.ofEpochSecond(-1, 500_000_000));
    }

    @Test
    void unreadableContent_isNotSigned() {
        List<Object> deep = new ArrayList<>();
        for (int i = 0; i < 14; i++) {
            deep = new ArrayList<>(List.of(deep));
        }
        List<Object> deeper = List.of(deep);
        assertThat(roundTrip(MINIMAL.with("x", deep)).list("x")).isPresent();
        Map<String, Object> deepMap = Map.of();
        for (int i = 0; i < 14; i++) {
            deepMap = Map.of("a", deepMap);
        }
        assertThat(roundTrip(MINIMAL.with("x", deepMap)).object("x")).hasValue(deepMap);
        List<Object> refused = Arrays.asList(
                deeper,
                Map.of("a", deepMap),
                "\ud800",
                Map.of("\udc00", 1),
                Collections.singletonMap(1, 1),
                Collections.singletonList(null),
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Float.NaN,
                NOW,
                'c',
                new byte[1],
                new BigDecimal("1E+1000"),
                new BigDecimal("1E-1000"),
                new BigDecimal("1".repeat(65)),
                new java.util.concurrent.atomic.AtomicInteger(1));
        for (Object value : refused) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> MINIMAL.with("x", value))
                    .withMessageContaining("'x'");
        }
        for (String registered : List.of("iss", "sub", "aud", "exp", "nbf", "iat", "jti")) {
            assertThatIllegalArgumentException().isThrownBy(() -> MINIMAL.with(registered, "a"));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> MINIMAL.with("\ud800", "a"));
        assertThatIllegalArgumentException().isThrownBy(() -> MINIMAL.withIssuer("\ud800"));
        assertThatIllegalArgumentException().isThrownBy(() -> MINIMAL.withAudience("\ud800"));
        assertThatIllegalArgumentException().isThrownBy(() -> MINIMAL.withAudiences(List.of("\ud800")));
        assertThatIllegalArgumentException().isThrownBy(() -> MINIMAL.withId("\ud800"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\ud800"})
    void subjectThatIsNone_isRefused(String subject) {
        assertThatIllegalArgumentException().isThrownBy(() -> JwtClaims.forSubject(subject, Duration.ofHours(1)));
    }

    @Test
    void lifetime_isRequiredAndBounded() {
        assertThatIllegalArgumentException().isThrownBy(() -> JwtClaims.forSubject("a", Duration.ofMillis(999)));
        assertThatIllegalArgumentException().isThrownBy(() -> JwtClaims.forSubject("a", Duration.ofSeconds(-5)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JwtClaims.forSubject("a", Duration.ofSeconds(Long.MAX_VALUE)));
        assertThat(roundTrip(JwtClaims.forSubject("a", Duration.ofMillis(1999))).expiresAt())
                .hasValue(NOW.plusSeconds(1));
        Duration toTheEnd = Duration.between(NOW, Instant.parse("9999-12-31T23:59:59Z"));
        assertThat(roundTrip(JwtClaims.forSubject("a", toTheEnd)).expiresAt())
                .hasValue(Instant.parse("9999-12-31T23:59:59Z"));
        JwtClaims beyond = JwtClaims.forSubject("a", toTheEnd.plusSeconds(1));
        assertThatIllegalArgumentException().isThrownBy(() -> Forge.signer().sign(beyond));
        for (Instant outside : List.of(Instant.MAX, Instant.MIN, Instant.parse("0000-12-31T23:59:59Z"))) {
            assertThatIllegalArgumentException().isThrownBy(() -> MINIMAL.withIssuedAt(outside));
            assertThatIllegalArgumentException().isThrownBy(() -> MINIMAL.withNotBefore(outside));
        }
    }

    @Test
    void tokenLongerThanVerifiersTake_isNotSigned() {
        int most = 0;
        for (int length = 5000; length < 7000; length++) {
            String text = "x".repeat(length);
            try {
                assertThat(roundTrip(MINIMAL.with("x", text)).text("x")).hasValue(text);
                most = length;
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("8192");
                break;
            }
        }
        assertThat(most).isBetween(5900, 6100);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Forge.signer().sign(MINIMAL.with("x", "\0".repeat(2_000_000))));
    }

    @Test
    void moreMembersThanVerifiersTake_areNotSigned() {
        Map<String, Object> many = new LinkedHashMap<>();
        for (int i = 0; i < 252; i++) {
            many.put("m" + i, 1);
        }
        assertThat(roundTrip(MINIMAL.with("x", many)).object("x").orElseThrow()).hasSize(252);
        many.put("one", 1);
        assertThatIllegalArgumentException().isThrownBy(() -> Forge.signer().sign(MINIMAL.with("x", many)));
        many.remove("one");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Forge.signer()
                        .sign(MINIMAL.with("x", many)
                                .with("y", Map.of("a", 1))
                                .with("z", 1)
                                .with("w", many)));
    }

    @Test
    void claimsAreCopied_andReplacedByName() {
        List<Object> list = new ArrayList<>(List.of("a"));
        JwtClaims claims = MINIMAL.with("l", list).with("x", 1).with("x", 2);
        list.add("b");
        VerifiedJwt jwt = roundTrip(claims);
        assertThat(jwt.texts("l")).hasValue(List.of("a"));
        assertThat(jwt.wholeNumber("x")).hasValue(2L);
    }

    @Test
    void generatedIds_differAndNeverReplaceAGivenOne() {
        JwtSigner signer = Forge.signer().withGeneratedIds();
        String one = Forge.verifier().verifyOrThrow(signer.sign(MINIMAL)).id().orElseThrow();
        String two = Forge.verifier().verifyOrThrow(signer.sign(MINIMAL)).id().orElseThrow();
        assertThat(one).hasSize(22).isNotEqualTo(two);
        assertThat(Forge.verifier()
                        .verifyOrThrow(signer.sign(MINIMAL.withId("x")))
                        .id())
                .hasValue("x");
    }

    @ParameterizedTest
    @EnumSource(HmacAlgorithm.class)
    void randomClaims_surviveUnderEachAlgorithm(HmacAlgorithm algorithm) {
        Random random = new Random(algorithm.minKeyBytes());
        HmacKey key = HmacKey.generate(algorithm).withId("k");
        for (int i = 0; i < 500; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(40); n > 0; n--) {
                text.appendCodePoint(
                        random.nextInt(4) == 0 ? 0x10000 + random.nextInt(0x100000) : random.nextInt(0xd800));
            }
            String value = text.toString();
            String token = JwtSigner.with(key).withTimeSource(Forge.CLOCK).sign(MINIMAL.with(value + "!", value));
            VerifiedJwt jwt = JwtVerifier.with(key).withTimeSource(Forge.CLOCK).verifyOrThrow(token);
            assertThat(jwt.text(value + "!")).hasValue(value);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "\u00e9", "a\n"})
    void typeThatCannotBeOne_isRefused(String type) {
        assertThatIllegalArgumentException().isThrownBy(() -> Forge.signer().withType(type));
        assertThatIllegalArgumentException().isThrownBy(() -> Forge.verifier().expectingType(type));
        assertThatIllegalArgumentException().isThrownBy(() -> Forge.signer().withType("a".repeat(256)));
    }
}
