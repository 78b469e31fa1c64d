package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and invalid keys. */
class HmacKeyTest {

    private static byte[] random(int length) {
        byte[] key = new byte[length];
        new Random(length).nextBytes(key);
        return key;
    }

    @ParameterizedTest
    @CsvSource({"32, HS256", "47, HS256", "48, HS384", "63, HS384", "64, HS512", "65, HS512", "200, HS512"})
    void length_namesTheAlgorithm(int length, HmacAlgorithm algorithm) {
        assertThat(HmacKey.of(random(length)).algorithm()).isEqualTo(algorithm);
    }

    @ParameterizedTest
    @CsvSource({"HS256, 32", "HS384, 48", "HS512, 64"})
    void keyShorterThanItsAlgorithm_isRefused(HmacAlgorithm algorithm, int min) {
        assertThat(algorithm.minKeyBytes()).isEqualTo(min);
        assertThat(HmacKey.of(random(min), algorithm).algorithm()).isEqualTo(algorithm);
        assertThat(HmacKey.of(random(200), algorithm).algorithm()).isEqualTo(algorithm);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HmacKey.of(random(min - 1), algorithm))
                .withMessage(
                        algorithm + " needs at least " + min + " key bytes (RFC 7518 section 3.2), got " + (min - 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31})
    void shortKey_isRefused(int length) {
        assertThatIllegalArgumentException().isThrownBy(() -> HmacKey.of(random(length)));
    }

    @Test
    void keyThatWasNeverFilled_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HmacKey.of(new byte[32]))
                .withMessageContaining("same");
        byte[] nearly = new byte[32];
        nearly[31] = 1;
        assertThat(HmacKey.of(nearly)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SecretKey012345678901234567890123456789012345678901234567890123456789",
                "VGhpc0lzTXlDdXN0b21TZWNyZXRLZXkwMTIzNDU2Nzg=",
                "404E635266556A586E3272357538782F413F4428472B4B6250645367566B5970"
            })
    void leakedKey_isRefusedByNameInEachOfItsForms(String text) {
        int whole = text.length() - text.replaceAll("[^=]", "").length();
        String decodable = text.substring(0, whole - (whole % 4 == 1 ? 1 : 0));
        for (byte[] key : new byte[][] {
            text.getBytes(StandardCharsets.US_ASCII), Base64.getDecoder().decode(decodable)
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> HmacKey.of(key))
                    .withMessageStartingWith("This key is public: it is the ")
                    .withMessageNotContaining(text);
            assertThatIllegalArgumentException().isThrownBy(() -> HmacKey.of(key, HmacAlgorithm.HS256));
        }
    }

    @Test
    void defaultOfNacos_isNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HmacKey.of("SecretKey012345678901234567890123456789012345678901234567890123456789"
                        .getBytes(StandardCharsets.US_ASCII)))
                .withMessageContaining("Nacos")
                .withMessageContaining("CVE-2021-43116");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519", "X25519"})
    void asymmetricKey_isRefusedAsDerAndAsPem(String algorithm) throws Exception {
        var pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
        for (byte[] der :
                new byte[][] {pair.getPublic().getEncoded(), pair.getPrivate().getEncoded()}) {
            String pem =
                    "\n-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder().encodeToString(der);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> HmacKey.of(der))
                    .withMessageContaining("PEM, DER");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> HmacKey.of(pem.getBytes(StandardCharsets.US_ASCII)))
                    .withMessageContaining("PEM, DER");
            byte[] longer = java.util.Arrays.copyOf(der, der.length + 1);
            assertThat(HmacKey.of(longer, HmacAlgorithm.HS256))
                    .as("not one DER element")
                    .isNotNull();
        }
    }

    /** Whole keys of asymmetric algorithms are one sequence with a sequence or an integer: both edges of this rule. */
    @ParameterizedTest
    @CsvSource({
        "34, 301e, true",
        "34, 30200200, true",
        "34, 3020021f, true",
        "34, 3020041e, true",
        "34, 31200201, true",
        "34, 302002840000, true",
        "36, 3084000000001e0201, true",
        "130, 30800201, true",
        "134, 30ff0201, true",
        "34, 3020021e, false",
        "34, 30203001, false",
        "35, 3081200201, false",
        "36, 308200200201, false",
        "129, 307f0201, false",
        "131, 308180028101, false"
    })
    void onlyOneWholeElementOfDer_isNoKey(int length, String beginning, boolean isKey) {
        byte[] key = random(length);
        byte[] first = HexFormat.of().parseHex(beginning);
        System.arraycopy(first, 0, key, 0, first.length);
        if (isKey) {
            assertThat(HmacKey.of(key)).isNotNull();
        } else {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> HmacKey.of(key))
                    .withMessageContaining("PEM, DER");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ",
                "ecdsa-sha2-nistp256 AAAAE2VjZHNh",
                "{\"kty\":\"RSA\",\"n\":\"0vx7agoebGcQSuuPiLJXZpt\"}"
            })
    void otherTextsOfAsymmetricKeys_areRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HmacKey.of(text.getBytes(StandardCharsets.US_ASCII), HmacAlgorithm.HS256));
    }

    @Test
    void everyTextForm_givesTheSameKey(@TempDir Path directory) throws IOException {
        byte[] bytes = random(50);
        Path file = directory.resolve("key");
        String base64 = Base64.getEncoder().encodeToString(bytes);
        String url = Forge.encoded(bytes);
        String hex = HexFormat.of().formatHex(bytes);
        String token = sign(HmacKey.of(bytes));
        assertThat(sign(HmacKey.ofBase64(base64))).isEqualTo(token);
        assertThat(sign(HmacKey.ofBase64Url(url))).isEqualTo(token);
        assertThat(sign(HmacKey.ofHex(hex))).isEqualTo(token);
        assertThat(sign(HmacKey.ofHex(hex.toUpperCase(java.util.Locale.ROOT)))).isEqualTo(token);
        for (String end : new String[] {"", "\n", "\r\n"}) {
            assertThat(sign(HmacKey.ofFile(Files.writeString(file, base64 + end))))
                    .isEqualTo(token);
        }
        String pinned = sign(HmacKey.of(bytes, HmacAlgorithm.HS256));
        assertThat(sign(HmacKey.ofBase64(base64, HmacAlgorithm.HS256))).isEqualTo(pinned);
        assertThat(sign(HmacKey.ofBase64Url(url, HmacAlgorithm.HS256))).isEqualTo(pinned);
        assertThat(sign(HmacKey.ofHex(hex, HmacAlgorithm.HS256))).isEqualTo(pinned);
        assertThat(sign(HmacKey.ofFile(file, HmacAlgorithm.HS256))).isEqualTo(pinned);
    }

    @Test
    void textOfBytesThatAreZero_isReadAsAnyOther() {
        byte[] bytes = random(32);
        bytes[7] = 0;
        assertThat(sign(HmacKey.ofHex(HexFormat.of().formatHex(bytes)))).isEqualTo(sign(HmacKey.of(bytes)));
    }

    @Test
    void textThatIsNotExactlyTheEncoding_isRefused(@TempDir Path directory) throws IOException {
        String base64 = Base64.getEncoder().encodeToString(random(50)).replace('/', '+');
        String url = Forge.encoded(random(50));
        String hex = "0123456789abcdef".repeat(4);
        for (String bad : new String[] {
            "",
            base64.replace("=", ""),
            base64 + "=",
            base64 + "\n",
            " " + base64,
            base64.replace('+', '-'),
            base64 + "====",
            base64.substring(0, 4) + "\n" + base64.substring(4),
            "\u0101" + base64.substring(1),
            "="
        }) {
            assertThatIllegalArgumentException()
                    .as(bad)
                    .isThrownBy(() -> HmacKey.ofBase64(bad))
                    .withMessageNotContaining(base64);
        }
        for (String bad : new String[] {
            url + "=",
            url + "AA",
            url.replace('-', '+').replace('_', '/') + "+",
            url + "\n",
            "\u0141" + url.substring(1)
        }) {
            assertThatIllegalArgumentException()
                    .as(bad)
                    .isThrownBy(() -> HmacKey.ofBase64Url(bad))
                    .withMessageNotContaining(url);
        }
        for (String bad : new String[] {
            hex + "0", "0x" + hex, hex + "0g", hex + " 0", "\u0660" + hex.substring(1), hex.replace("0", ":")
        }) {
            assertThatIllegalArgumentException()
                    .as(bad)
                    .isThrownBy(() -> HmacKey.ofHex(bad))
                    .withMessageNotContaining(hex);
        }
        Path file = directory.resolve("key");
        for (String bad : new String[] {base64 + "\n\n", base64 + "\n" + base64, "A".repeat(4097), ""}) {
            Files.writeString(file, bad);
            assertThatIllegalArgumentException().isThrownBy(() -> HmacKey.ofFile(file));
        }
        assertThatThrownBy(() -> HmacKey.ofFile(directory.resolve("none"))).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 33, 34, 48, 64, 96, 128, 1000})
    void keyFile_isReadAsTheUsualToolsWriteIt(int length, @TempDir Path directory) throws IOException {
        Path file = directory.resolve("key");
        for (int seed = 0; seed < 5; seed++) {
            byte[] bytes = new byte[length];
            new Random(seed).nextBytes(bytes);
            String key = sign(HmacKey.of(bytes));
            Base64.Encoder url = Base64.getUrlEncoder();
            for (String text : new String[] {
                Base64.getEncoder().encodeToString(bytes),
                // openssl rand -base64, base64 of GNU, and MIME
                lines(bytes, 64, "\n"),
                lines(bytes, 76, "\n"),
                lines(bytes, 76, "\r\n"),
                // token_urlsafe of Python, and its urlsafe_b64encode
                url.withoutPadding().encodeToString(bytes),
                url.encodeToString(bytes)
            }) {
                for (String end : new String[] {"", "\n", "\r\n"}) {
                    assertThat(sign(HmacKey.ofFile(Files.writeString(file, text + end))))
                            .isEqualTo(key);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "_"})
    void keyFileWhoseFirstCharacterAloneIsOfBase64Url_isOfBase64Url(String first, @TempDir Path directory)
            throws IOException {
        String text = first + "AbC".repeat(21);
        Path file = Files.writeString(directory.resolve("key"), text);
        assertThat(sign(HmacKey.ofFile(file))).isEqualTo(sign(HmacKey.ofBase64Url(text)));
    }

    @Test
    void keyFileThatIsNotExactlyOneKey_isRefused(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("key");
        String standard = "+".repeat(64) + "Aa/0";
        assertThat(HmacKey.ofFile(Files.writeString(file, standard))).isNotNull();
        String longer = "A".repeat(64) + "BCDE";
        for (String bad : new String[] {
            "",
            "\n",
            "-" + standard.substring(1),
            standard.substring(1) + "_",
            " " + standard,
            standard + " ",
            standard + "\n\n",
            "\n" + standard,
            standard + "\r",
            standard.substring(0, 4) + "\r" + standard.substring(4),
            standard.substring(0, 64) + "\n\n" + standard.substring(64),
            standard.substring(0, 63) + "\n" + standard.substring(63),
            "ABCD\n" + longer,
            longer.substring(0, 32) + "\n" + longer.substring(32, 48) + "\n" + longer.substring(48),
            standard + "=",
            standard + "====",
            standard.substring(0, 67),
            standard.substring(0, 66) + "=",
            standard.substring(0, 65),
            "A".repeat(43) + "=\n" + "A".repeat(43) + "=",
            "\uFEFF" + standard,
            standard.substring(0, 40) + "\u0141" + standard.substring(41),
            "# key\n" + standard
        }) {
            Files.writeString(file, bad);
            assertThatIllegalArgumentException()
                    .as(bad)
                    .isThrownBy(() -> HmacKey.ofFile(file))
                    .withMessageNotContaining("+++");
        }
    }

    private static String lines(byte[] bytes, int width, String separator) {
        return Base64.getMimeEncoder(width, separator.getBytes(StandardCharsets.US_ASCII))
                .encodeToString(bytes);
    }

    @Test
    void callersArray_isNeitherKeptNorChanged() {
        byte[] bytes = random(32);
        HmacKey key = HmacKey.of(bytes);
        assertThat(bytes).isEqualTo(random(32));
        String before = sign(key);
        java.util.Arrays.fill(bytes, (byte) 7);
        assertThat(sign(key)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(HmacAlgorithm.class)
    void generatedKeys_differ(HmacAlgorithm algorithm) {
        assertThat(HmacKey.generate(algorithm).algorithm()).isEqualTo(algorithm);
        assertThat(sign(HmacKey.generate(algorithm))).isNotEqualTo(sign(HmacKey.generate(algorithm)));
    }

    @Test
    void closedKey_neitherSignsNorVerifies() {
        HmacKey key = HmacKey.of(random(32));
        HmacKey named = key.withId("a");
        String token = sign(named);
        assertThat(Forge.outcome(
                        JwtVerifier.with(key).withTimeSource(Forge.CLOCK).verify(token)))
                .isEqualTo("verified");
        JwtVerifier verifier = JwtVerifier.with(key).withTimeSource(Forge.CLOCK);
        JwtSigner signer = JwtSigner.with(named);
        key.close();
        key.close();
        assertThat(named.isClosed()).isTrue();
        assertThat(Forge.outcome(verifier.verify(token))).isEqualTo("bad_mac");
        JwtClaims claims = JwtClaims.forSubject("a", Duration.ofHours(1));
        assertThatThrownBy(() -> signer.sign(claims)).isInstanceOf(IllegalStateException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> KeyRing.of(key));
        assertThatIllegalArgumentException().isThrownBy(() -> JwtVerifier.with(named));
    }

    @Test
    void keyWithoutItsSecret_verifiesNothingThatAnybodyCouldCompute() throws Exception {
        HmacKey key = HmacKey.of(random(32));
        JwtVerifier verifier = JwtVerifier.with(key).withTimeSource(Forge.CLOCK);
        key.close();
        String input = Forge.encoded(Forge.HEADER) + "." + Forge.encoded(Forge.claims(""));
        var sha = java.security.MessageDigest.getInstance("SHA-256");
        String plainDigests = Forge.encoded(sha.digest(sha.digest(input.getBytes(StandardCharsets.US_ASCII))));
        assertThat(Forge.outcome(verifier.verify(input + "." + plainDigests))).isEqualTo("bad_mac");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb", "\ud800"})
    void idThatCannotBeOne_isRefused(String id) {
        assertThatIllegalArgumentException().isThrownBy(() -> Forge.KEY.withId(id));
        assertThatIllegalArgumentException().isThrownBy(() -> Forge.KEY.withId("a".repeat(256)));
        assertThat(Forge.KEY.withId("a".repeat(255)).id()).hasValue("a".repeat(255));
    }

    @Test
    void nothingPrintsASecret() {
        String secret = new String(Forge.KEY_BYTES, StandardCharsets.US_ASCII);
        String token = Forge.token(Forge.claims("\"sub\":\"mallory\""));
        JwtResult result = Forge.verifier().verify(token);
        KeyRing ring = KeyRing.of(Forge.KEY.withId("k"));
        String printed = Forge.KEY + " " + ring + " " + result
                + JwtClaims.forSubject("mallory", Duration.ofHours(1)).with("x", "mallory")
                + new InvalidJwtException(JwtDefect.BAD_MAC);
        assertThat(printed).doesNotContain(secret, "mallory", token.substring(token.lastIndexOf('.') + 1));
        assertThat(Forge.KEY).hasToString("HmacKey[HS256]");
        assertThat(ring).hasToString("KeyRing[signing=HmacKey[HS256, id=k], keys=1]");
    }

    private static String sign(HmacKey key) {
        return JwtSigner.with(key).withTimeSource(Forge.CLOCK).sign(JwtClaims.forSubject("a", Duration.ofHours(1)));
    }
}
