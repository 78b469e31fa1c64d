package dev.latchkey.auth.jwt;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * Coverage-guided: the same inputs again in each build, new ones with {@code JAZZER_FUZZ=1}. Whatever comes, nothing throws, and
 * what is accepted keeps its promises.
 */
class CoverageFuzzTest {

    private static final JwtVerifier VERIFIER =
            Forge.verifier().acceptingAnyAudience().acceptingTokensWithoutExpiry();

    /** Bytes as they arrive from a stranger. */
    @FuzzTest(maxDuration = "10m")
    void verify(byte[] token) {
        check(VERIFIER.verify(token));
        check(VERIFIER.verify(new String(token, StandardCharsets.ISO_8859_1)));
        check(VERIFIER.verify(new String(token, StandardCharsets.UTF_8)));
    }

    /** The same, signed: header and claims are divided by the first line feed. */
    @FuzzTest(maxDuration = "10m")
    void verifySigned(byte[] headerAndClaims) {
        int end = 0;
        while (end < headerAndClaims.length && headerAndClaims[end] != '\n') {
            end++;
        }
        String header = Forge.encoded(Arrays.copyOf(headerAndClaims, end));
        String claims = Forge.encoded(
                Arrays.copyOfRange(headerAndClaims, Math.min(end + 1, headerAndClaims.length), headerAndClaims.length));
        check(VERIFIER.verify(Forge.signed(header + "." + claims)));
        check(VERIFIER.verify(Forge.signed(Forge.encoded(Forge.HEADER) + "." + Forge.encoded(headerAndClaims))));
    }

    @FuzzTest(maxDuration = "10m")
    void json(byte[] json) {
        if (JsonScannerTest.isAccepted(json)) {
            JsonWriter writer = new JsonWriter(16);
            writer.begin();
            JsonReader.objectOf(json, json.length).forEach(writer::member);
            writer.end();
            byte[] again = Arrays.copyOf(writer.buffer(), writer.length());
            // Escapes may make it longer than the limit; then only the meaning can be compared.
            if (again.length <= JsonScanner.MAX_LENGTH && !JsonScannerTest.isAccepted(again)) {
                throw new AssertionError("written, and not read");
            }
            if (!JsonReader.objectOf(again, again.length).equals(JsonReader.objectOf(json, json.length))) {
                throw new AssertionError("not the same");
            }
        }
    }

    @FuzzTest(maxDuration = "10m")
    void base64Url(byte[] text) {
        byte[] decoded = new byte[Base64Url.decodedLength(text.length)];
        int length = Base64Url.decode(text, 0, text.length, decoded);
        boolean canonical = length != Base64Url.NOT_BASE64URL;
        if (canonical
                && !Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(decoded)
                        .equals(new String(text, StandardCharsets.ISO_8859_1))) {
            throw new AssertionError("accepted what nothing encodes to");
        }
        byte[] encoded = new byte[Base64Url.encodedLength(text.length) + 8];
        int end = Base64Url.encode(text, text.length, encoded, 0);
        byte[] expected = Base64.getUrlEncoder().withoutPadding().encode(text);
        if (!Arrays.equals(encoded, 0, end, expected, 0, expected.length)
                || !Base64Url.isEncodedAt(encoded, 0, Arrays.copyOf(text, text.length + 8), text.length)) {
            throw new AssertionError("encoded otherwise than the JDK");
        }
    }

    private static void check(JwtResult result) {
        result.verified().ifPresent(jwt -> {
            if (jwt.claims().size() > JsonScanner.MAX_OPEN_MEMBERS
                    || jwt.subject().isPresent() != jwt.claims().containsKey("sub")) {
                throw new AssertionError("verified, and not what was promised");
            }
        });
    }
}
