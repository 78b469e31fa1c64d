package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The vectors of the RFCs. Vectors without a JWT are checked at the MAC. */
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

    /** Case 5 is a MAC cut to 128 bits, so the beginning is what is compared. */
    @ParameterizedTest
    @CsvSource({
        "20x0b, 4869205468657265, b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7, afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6, 87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854",
        "4a656665, 7768617420646f2079612077616e7420666f72206e6f7468696e673f, 5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843, af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649, 164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
        "20xaa, 50xdd, 773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe, 88062608d3e6ad8a0aa2ace014c8a86f0aa635d947ac9febe83ef4e55966144b2a5ab39dc13814b94e3ab6e101a34f27, fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb",
        "0102030405060708090a0b0c0d0e0f10111213141516171819, 50xcd, 82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b, 3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e6801dd23c4a7d679ccf8a386c674cffb, b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd",
        "20x0c, 546573742057697468205472756e636174696f6e, a3b6167473100ee06e0c796c2955552b, 3abf34c3503b2a23a46efc619baef897, 415fad6271580a531d4179bc891d87a6",
        "131xaa, 54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374, 60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54, 4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952, 80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598",
        "131xaa, 5468697320697320612074657374207573696e672061206c6172676572207468616e20626c6f636b2d73697a65206b657920616e642061206c6172676572207468616e20626c6f636b2d73697a6520646174612e20546865206b6579206e6565647320746f20626520686173686564206265666f7265206265696e6720757365642062792074686520484d414320616c676f726974686d2e, 9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2, 6617178e941f020d351e2f254e8fd32c602420feb0b8fb9adccebb82461e99c5a678cc31e799176d3860e6110c46523e, e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58"
    })
    void rfc4231_hasTheMacsOfTheRfc(String key, String data, String hs256, String hs384, String hs512) {
        assertThat(hex(HmacAlgorithm.HS256, key, data)).startsWith(hs256);
        assertThat(hex(HmacAlgorithm.HS384, key, data)).startsWith(hs384);
        assertThat(hex(HmacAlgorithm.HS512, key, data)).startsWith(hs512);
    }

    @Test
    void digestThatCanBeClonedOnlyWhileFresh_givesTheSameMac() {
        for (HmacAlgorithm algorithm : HmacAlgorithm.values()) {
            byte[] input = "abc".getBytes(StandardCharsets.US_ASCII);
            byte[] expected = new byte[64];
            byte[] actual = new byte[64];
            Hmac hmac = Hmac.of(algorithm, Forge.KEY_BYTES, new FreshlyCloneableDigest());
            assertThat(hmac.compute(input, 1, 2, actual)).isTrue();
            assertThat(Hmac.of(algorithm, Forge.KEY_BYTES).compute(input, 1, 2, expected))
                    .isTrue();
            assertThat(actual).isEqualTo(expected);
        }
    }

    /** As of a provider that copies a state only where there is none yet. */
    private static final class FreshlyCloneableDigest extends UncloneableDigest implements Cloneable {
        private boolean fresh = true;

        @Override
        public Object clone() throws CloneNotSupportedException {
            if (fresh) {
                return new FreshlyCloneableDigest();
            }
            throw new CloneNotSupportedException();
        }

        @Override
        protected void engineUpdate(byte[] input, int offset, int length) {
            fresh = false;
        }
    }

    @Test
    void digestThatCannotBeCloned_givesTheSameMac() {
        for (HmacAlgorithm algorithm : HmacAlgorithm.values()) {
            byte[] key = Forge.KEY_BYTES;
            byte[] input = "abc".getBytes(StandardCharsets.US_ASCII);
            Hmac fallback = Hmac.of(algorithm, key, new UncloneableDigest());
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
