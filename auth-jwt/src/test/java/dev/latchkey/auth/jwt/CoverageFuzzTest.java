package dev.latchkey.auth.jwt;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/**
 * A coverage-guided search. A build tries the findings with {@link KeptInputsTest}. No input throws, and each accepted input
 * keeps the promises.
 */
@Tag("fuzz")
class CoverageFuzzTest {

    private static final JwtVerifier VERIFIER =
            Forge.verifier().acceptingAnyAudience().acceptingTokensWithoutExpiry();

    /** The same under every rule that a verifier can be given. */
    private static final JwtVerifier DEMANDING = Forge.verifier()
            .expectingIssuer("me")
            .expectingAudience("us")
            .expectingType("at+jwt")
            .requiringClaims("x")
            .withSkew(Duration.ofMinutes(5))
            .withMaxAge(Duration.ofDays(1));

    private static final JwtAuthPlugin PLUGIN =
            JwtAuthPlugin.of(VERIFIER, new InMemoryRevocationStore(Duration.ofHours(1)));

    /**
     * Bytes as they arrive from an unauthenticated caller, and the same bytes as a signing input with a valid MAC.
     */
    @FuzzTest(maxDuration = "", maxExecutions = 5_000_000)
    @DictionaryEntries({"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.", "eyJhbGciOiJIUzI1NiJ9.", ".e30", "ew", "fQ"})
    void verify(byte[] token) {
        String text = new String(token, StandardCharsets.ISO_8859_1);
        check(VERIFIER.verify(token));
        check(VERIFIER.verify(text));
        check(VERIFIER.verify(new String(token, StandardCharsets.UTF_8)));
        checkAll(Forge.signed(text));
    }

    /** Below the MAC: any header over good claims. */
    @FuzzTest(maxDuration = "", maxExecutions = 5_000_000)
    @DictionaryEntries({
        "{\"alg\":\"HS256\"",
        ",\"typ\":\"at+jwt\"",
        ",\"kid\":\"",
        ",\"crit\":[",
        ",\"b64\":",
        ",\"zip\":"
    })
    void header(byte[] json) {
        checkAll(
                Forge.signed(Forge.encoded(json) + "." + Forge.encoded(Forge.claims("\"iss\":\"me\",\"aud\":\"us\""))));
    }

    /** Below the MAC: any claims under a good header. */
    @FuzzTest(maxDuration = "", maxExecutions = 5_000_000)
    @DictionaryEntries({
        "\"exp\":1800003600",
        "\"nbf\":1800000000",
        "\"iat\":1799999999.5e0",
        "\"iss\":\"me\"",
        "\"aud\":[\"us\"]",
        "\"sub\":\"",
        "\"jti\":\"",
        "\"authorities\":[\"",
        "\\u00",
        "1e-999"
    })
    void claims(byte[] json) {
        checkAll(Forge.token(json));
    }

    /** Beside Jackson, and written again. */
    @FuzzTest(maxDuration = "", maxExecutions = 5_000_000)
    @DictionaryEntries({"\\ud83d\\ude00", "\\u0000", "1E+9", "null", "true", "false", "[{\"\":[]}]"})
    void json(byte[] json) {
        boolean accepted = JsonScannerTest.isAccepted(json);
        if (json.length <= StrictJackson.MAX_LENGTH) {
            JsonNode theirs = StrictJackson.read(json);
            require(accepted == (theirs != null), "judged otherwise than Jackson");
            if (accepted) {
                StrictJackson.assertSame(JsonReader.objectOf(json, json.length), theirs);
            }
        }
        if (accepted) {
            Map<String, Object> members = JsonReader.objectOf(json, json.length);
            members.forEach((name, value) -> require(value.equals(memberOf(json, name)), "found something else"));
            byte[] again = written(members);
            // Escapes may make it longer than the limit; then only the meaning can be compared.
            require(
                    again.length > JsonScanner.MAX_LENGTH || JsonScannerTest.isAccepted(again),
                    "written, and not read");
            Map<String, Object> copy = JsonReader.objectOf(again, again.length);
            require(copy.isEmpty() || copy.equals(members), "not the same");
        }
    }

    @FuzzTest(maxDuration = "", maxExecutions = 5_000_000)
    void base64Url(byte[] text) {
        byte[] decoded = new byte[Base64Url.decodedLength(text.length)];
        Base64.Encoder jdk = Base64.getUrlEncoder().withoutPadding();
        if (Base64Url.decode(text, 0, text.length, decoded) != Base64Url.NOT_BASE64URL) {
            require(Arrays.equals(jdk.encode(decoded), text), "accepted what nothing encodes to");
        }
        byte[] encoded = new byte[Base64Url.encodedLength(text.length) + 8];
        byte[] room = Arrays.copyOf(text, text.length + 8);
        int end = Base64Url.encode(room, text.length, encoded, 0);
        byte[] expected = jdk.encode(text);
        require(Arrays.equals(encoded, 0, end, expected, 0, expected.length), "encoded otherwise than the JDK");
        require(Base64Url.decode(encoded, 0, end, new byte[text.length]) == text.length, "encoded, and not read");
        require(Base64Url.isEncodedAt(encoded, 0, room, text.length), "not equal to its own encoding");
        if (end > 0) {
            encoded[end / 2] ^= 1;
            require(!Base64Url.isEncodedAt(encoded, 0, room, text.length), "equal to another encoding");
        }
    }

    private static Object memberOf(byte[] json, String name) {
        int span = JsonMember.spanOf(json, name);
        return JsonReader.valueOf(json, JsonScanner.start(span), JsonScanner.end(span));
    }

    /** An empty object where a number is read and never written: 12e999 would become 1.2E+1000, which is beyond the cap. */
    private static byte[] written(Map<String, Object> members) {
        JsonWriter writer = new JsonWriter(16);
        writer.begin();
        try {
            members.forEach((name, value) -> writer.member(name, JsonValues.copyOf(name, value, 1)));
        } catch (IllegalArgumentException e) {
            require(e.getMessage().endsWith("3 digits of exponent"), e.getMessage());
            writer.begin();
        }
        writer.end();
        return Arrays.copyOf(writer.buffer(), writer.length());
    }

    private static void checkAll(String token) {
        check(VERIFIER.verify(token));
        check(DEMANDING.verify(token));
        require(
                !PLUGIN.authenticate(BearerToken.of(token), RequestContext.none())
                        .equals(Decision.abstained()),
                "nobody's token");
    }

    private static void check(JwtResult result) {
        result.verified().ifPresent(jwt -> {
            require(jwt.claims().size() <= JsonScanner.MAX_OPEN_MEMBERS, "more members than allowed");
            require(jwt.subject().isPresent() == jwt.claims().containsKey("sub"), "a subject out of nothing");
            require(jwt.audience().isEmpty() == !jwt.claims().containsKey("aud"), "an audience out of nothing");
            require(jwt.expiresAt().isEmpty() || jwt.expiresAt().get().isAfter(Forge.NOW.minusSeconds(300)), "expired");
            jwt.claims().keySet().forEach(name -> readInEveryWay(jwt, name));
        });
    }

    private static void readInEveryWay(VerifiedJwt jwt, String claim) {
        int kinds = 0;
        kinds += isKind(() -> jwt.text(claim));
        kinds += isKind(() -> jwt.bool(claim));
        kinds += isKind(() -> jwt.decimal(claim));
        kinds += isKind(() -> jwt.list(claim));
        kinds += isKind(() -> jwt.object(claim));
        isKind(() -> jwt.wholeNumber(claim));
        isKind(() -> jwt.texts(claim));
        require(kinds == 1 || jwt.claims().get(claim) == JsonNull.NULL, "of " + kinds + " types");
    }

    private static int isKind(Runnable reading) {
        try {
            reading.run();
            return 1;
        } catch (ClaimTypeException e) {
            return 0;
        }
    }

    private static void require(boolean promise, String otherwise) {
        if (!promise) {
            throw new AssertionError(otherwise);
        }
    }
}
