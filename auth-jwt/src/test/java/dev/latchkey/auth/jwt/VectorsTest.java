package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The vectors of the RFCs: those that are no JWT are checked below the claims, where the MAC is. */
class VectorsTest {

    private static final String RFC_7515_A1 = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    private static final byte[] RFC_7515_A1_KEY = Base64.getUrlDecoder()
            .decode("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow");

    private static JwtVerifier verifier(byte[] key, long second) {
        return JwtVerifier.with(HmacKey.of(key, HmacAlgorithm.HS256))
                .withTimeSource(InstantSource.fixed(Instant.ofEpochSecond(second)));
    }

    @Test
    void rfc7515AppendixA1AndRfc7519Section31_isVerifiedUntilItExpires() {
        VerifiedJwt jwt = verifier(RFC_7515_A1_KEY, 1300819379L).verifyOrThrow(RFC_7515_A1);
        assertThat(jwt.issuer()).hasValue("joe");
        assertThat(jwt.bool("http://example.com/is_root")).hasValue(true);
        assertThat(jwt.expiresAt()).hasValue(Instant.ofEpochSecond(1300819380L));
        assertThat(Forge.outcome(verifier(RFC_7515_A1_KEY, 1300819380L).verify(RFC_7515_A1)))
                .isEqualTo("expired");
    }

    @Test
    void rfc7515AppendixE_isRefusedForItsCriticalExtension() {
        String unsigned = "eyJhbGciOiJub25lIiwNCiAiY3JpdCI6WyJodHRwOi8vZXhhbXBsZS5jb20vVU5ERUZJTkVEIl0sDQog"
                + "Imh0dHA6Ly9leGFtcGxlLmNvbS9VTkRFRklORUQiOnRydWUNCn0.RkFJTA";
        assertThat(Forge.outcome(unsigned + ".")).isEqualTo("malformed");
        String header = "{\"alg\":\"HS256\",\r\n \"crit\":[\"http://example.com/UNDEFINED\"],\r\n"
                + " \"http://example.com/UNDEFINED\":true\r\n}";
        assertThat(Forge.outcome(Forge.token(header, Forge.claims("")))).isEqualTo("unsupported_header");
    }

    @Test
    void rfc7519Section61_unsecuredIsRefused() {
        String unsecured = "eyJhbGciOiJub25lIn0"
                + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.";
        assertThat(Forge.outcome(verifier(RFC_7515_A1_KEY, 1L).verify(unsecured)))
                .isEqualTo("malformed");
    }

    @Test
    void rfc7520Section44_hasTheMacOfTheRfc() {
        byte[] key = Base64.getUrlDecoder().decode("hJtXIZ2uSN5kbQfbtTNWbpdmhkV8FJG-Onbc6mxCcYg");
        String input = "eyJhbGciOiJIUzI1NiIsImtpZCI6IjAxOGMwYWU1LTRkOWItNDcxYi1iZmQ2LWVlZjMxNGJjNzAzNyJ9"
                + ".SXTigJlzIGEgZGFuZ2Vyb3VzIGJ1c2luZXNzLCBGcm9kbywgZ29pbmcgb3V0IHlvdXIgZG9vci4gWW91IHN0ZXAgb250byB0aGUgcm9h"
                + "ZCwgYW5kIGlmIHlvdSBkb24ndCBrZWVwIHlvdXIgZmVldCwgdGhlcmXigJlzIG5vIGtub3dpbmcgd2hlcmUgeW91IG1pZ2h0IGJlIHN3"
                + "ZXB0IG9mZiB0by4";
        assertThat(mac(HmacKey.unchecked(key, HmacAlgorithm.HS256), input))
                .isEqualTo("s0h6KThzkfBBBkLspW1h84VsJZFTsPPqMDA7g1Md7p0");
        String token = input + ".s0h6KThzkfBBBkLspW1h84VsJZFTsPPqMDA7g1Md7p0";
        assertThat(Forge.outcome(JwtVerifier.with(HmacKey.unchecked(key, HmacAlgorithm.HS256))
                        .verify(token)))
                .isEqualTo("malformed_claims");
    }

    @Test
    void rfc7797Section41And42_areRefusedThoughTheMacHolds() {
        String payload = "$.02";
        String header = "{\"alg\":\"HS256\",\"b64\":false,\"crit\":[\"b64\"]}";
        HmacKey key = HmacKey.of(RFC_7515_A1_KEY, HmacAlgorithm.HS256);
        String input = Forge.encoded(header) + "." + payload;
        assertThat(mac(key, input)).isEqualTo("A5dxf2s96_n5FLueVuW1Z_vh161FwXZC4YLPff6dmDY");
        assertThat(Forge.outcome(JwtVerifier.with(key).verify(input + "." + mac(key, input))))
                .isEqualTo("unsupported_header");
        assertThat(Forge.outcome(JwtVerifier.with(key).verify(Forge.encoded(header) + ".." + mac(key, input))))
                .isEqualTo("malformed");
    }

    @ParameterizedTest
    @CsvSource({
        "20x0b, 4869205468657265, b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        "4a656665, 7768617420646f2079612077616e7420666f72206e6f7468696e673f, 5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        "20xaa, 50xdd, 773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
        "131xaa, 54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374, 60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    })
    void rfc4231_hs256(String key, String data, String mac) {
        assertThat(hex(HmacAlgorithm.HS256, key, data)).isEqualTo(mac);
    }

    @ParameterizedTest
    @CsvSource({
        "20x0b, 4869205468657265, HS384, afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6",
        "20x0b, 4869205468657265, HS512, 87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854",
        "4a656665, 7768617420646f2079612077616e7420666f72206e6f7468696e673f, HS512, 164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
    })
    void rfc4231_longerHashes(String key, String data, HmacAlgorithm algorithm, String mac) {
        assertThat(hex(algorithm, key, data)).isEqualTo(mac);
    }

    @Test
    void digestThatCannotBeCloned_givesTheSameMac() {
        for (HmacAlgorithm algorithm : HmacAlgorithm.values()) {
            byte[] key = Forge.KEY_BYTES;
            byte[] input = "abc".getBytes(StandardCharsets.US_ASCII);
            Hmac fallback = Hmac.of(algorithm, key, new Uncloneable());
            assertThat(fallback).isInstanceOf(RestartedMacHmac.class);
            byte[] expected = new byte[64];
            byte[] actual = new byte[64];
            assertThat(Hmac.of(algorithm, key).compute(input, 1, 2, expected)).isTrue();
            assertThat(fallback.compute(input, 1, 2, actual)).isTrue();
            assertThat(actual).isEqualTo(expected);
            fallback.wipe();
            assertThat(fallback.compute(input, 1, 2, actual)).isFalse();
        }
    }

    private static final class Uncloneable extends MessageDigest {
        Uncloneable() {
            super("SHA-256");
        }

        @Override
        protected void engineUpdate(byte input) {}

        @Override
        protected void engineUpdate(byte[] input, int offset, int len) {}

        @Override
        protected byte[] engineDigest() {
            return new byte[0];
        }

        @Override
        protected void engineReset() {}
    }

    private static String mac(HmacKey key, String input) {
        byte[] mac = new byte[64];
        byte[] bytes = input.getBytes(StandardCharsets.US_ASCII);
        assertThat(key.compute(bytes, 0, bytes.length, mac)).isTrue();
        return Forge.encoded(Arrays.copyOf(mac, key.algorithm().macBytes()));
    }

    private static String hex(HmacAlgorithm algorithm, String key, String data) {
        byte[] mac = new byte[64];
        byte[] bytes = bytes(data);
        assertThat(HmacKey.unchecked(bytes(key), algorithm).compute(bytes, 0, bytes.length, mac))
                .isTrue();
        return HexFormat.of().formatHex(mac, 0, algorithm.macBytes());
    }

    /** Hex, or {@code 20x0b} for a byte that is repeated. */
    private static byte[] bytes(String text) {
        int times = text.indexOf('x');
        return HexFormat.of()
                .parseHex(
                        times < 0
                                ? text
                                : text.substring(times + 1).repeat(Integer.parseInt(text.substring(0, times))));
    }
}
