package dev.latchkey.auth.jwt;

import static dev.latchkey.auth.jwt.Forge.claims;
import static dev.latchkey.auth.jwt.Forge.encoded;
import static dev.latchkey.auth.jwt.Forge.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of a token, before any content is read. */
class CompactFormTest {

    private static final String TOKEN = Forge.token(claims("\"sub\":\"a\""));
    private static final String INPUT = TOKEN.substring(0, TOKEN.lastIndexOf('.'));
    private static final String MAC = TOKEN.substring(TOKEN.lastIndexOf('.') + 1);

    @Test
    void threeParts_areVerified() {
        assertThat(outcome(TOKEN)).isEqualTo("verified");
    }

    @Test
    void anyOtherNumberOfParts_isMalformed() {
        List<String> tokens = List.of(
                "",
                ".",
                "..",
                "...",
                "a",
                "a.b",
                MAC,
                INPUT,
                INPUT + ".",
                "." + MAC,
                "." + INPUT,
                TOKEN + ".",
                TOKEN + "..",
                TOKEN + ".." + MAC,
                INPUT + ".." + MAC,
                "a.b.c.d",
                "a.b.c.d.e",
                TOKEN + "." + MAC,
                INPUT.replace(".", "..") + "." + MAC,
                INPUT.replace(".", "") + "." + MAC,
                "{\"payload\":\"" + encoded("{}") + "\",\"signatures\":[]}");
        for (String token : tokens) {
            assertThat(outcome(token)).as(token).isEqualTo("malformed");
        }
        assertThat(outcome((String) null)).isEqualTo("malformed");
    }

    @Test
    void partsOfAnotherNumber_areMalformedThoughTheMacHolds() {
        for (String input : List.of(
                INPUT + ".x",
                INPUT + "." + encoded("{}"),
                "x." + INPUT,
                "." + INPUT,
                encoded("{}"),
                INPUT.replace(".", ".."),
                encoded(Forge.HEADER) + ".",
                "." + encoded(claims("")))) {
            assertThat(outcome(Forge.signed(input))).as(input).isEqualTo("malformed");
        }
    }

    @Test
    void everyOtherSpellingOfTheMac_isRefused() {
        List<String> spellings = new ArrayList<>();
        for (char c : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \n\0\u0100".toCharArray()) {
            for (int i = 0; i < MAC.length(); i++) {
                spellings.add(MAC.substring(0, i) + c + MAC.substring(i + 1));
            }
            spellings.add(MAC + c);
            spellings.add(c + MAC);
        }
        spellings.removeIf(MAC::equals);
        spellings.add(MAC + "=");
        spellings.add(MAC + "==");
        assertThat(spellings).hasSizeGreaterThan(3000);
        for (String spelling : spellings) {
            assertThat(outcome(INPUT + "." + spelling)).as(spelling).isNotEqualTo("verified");
        }
    }

    @Test
    void everyOtherByteOfTheToken_isRefused() {
        byte[] token = TOKEN.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < token.length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                token[i] ^= (byte) (1 << bit);
                assertThat(outcome(Forge.verifier().verify(token)))
                        .as("byte " + i)
                        .isNotEqualTo("verified");
                token[i] ^= (byte) (1 << bit);
            }
        }
        assertThat(outcome(Forge.verifier().verify(token))).isEqualTo("verified");
    }

    @ParameterizedTest
    @ValueSource(ints = {0x100, 0x200, 0x2000, 0xff00})
    void characterWithTheSameLowByte_isNoAlias(int offset) {
        for (int i = 0; i < TOKEN.length(); i++) {
            String alias = TOKEN.substring(0, i) + (char) (TOKEN.charAt(i) + offset) + TOKEN.substring(i + 1);
            assertThat(outcome(alias)).as("character " + i).isEqualTo("malformed");
        }
    }

    @Test
    void partThatIsNotCanonical_isRefusedThoughTheMacHolds() {
        String header = encoded(Forge.HEADER);
        String payload = encoded(claims("\"s\":\"\""));
        assertThat(payload.length() % 4).isEqualTo(2);
        String lastBitsSet =
                payload.substring(0, payload.length() - 1) + (char) (payload.charAt(payload.length() - 1) + 1);
        for (String input : List.of(
                header + "." + payload + "==",
                header + "=." + payload,
                header + "." + lastBitsSet,
                header + "." + payload + " ",
                header + "." + payload + "\n",
                header + "." + payload + "A",
                header + ".+" + payload,
                header + "./" + payload,
                "+" + header + "." + payload,
                header + "\u00e9." + payload)) {
            assertThat(outcome(Forge.signed(input))).as(input).startsWith("malformed");
        }
        assertThat(outcome(Forge.signed(header + "." + payload))).isEqualTo("verified");
    }

    @ParameterizedTest
    @EnumSource(HmacAlgorithm.class)
    void lengthLimit_isInclusive(HmacAlgorithm algorithm) {
        HmacKey key = HmacKey.generate(algorithm);
        String token = JwtSigner.with(key).sign(JwtClaims.forSubject("a", java.time.Duration.ofHours(1)));
        JwtVerifier verifier = JwtVerifier.with(key);
        assertThat(outcome(verifier.withMaxLength(token.length()).verify(token)))
                .isEqualTo("verified");
        assertThat(outcome(verifier.withMaxLength(token.length() - 1).verify(token)))
                .isEqualTo("too_long");
        byte[] bytes = token.getBytes(StandardCharsets.US_ASCII);
        assertThat(outcome(verifier.withMaxLength(token.length()).verify(bytes)))
                .isEqualTo("verified");
        assertThat(outcome(verifier.withMaxLength(token.length() - 1).verify(bytes)))
                .isEqualTo("too_long");
    }

    @Test
    void defaultLimit_is8192Characters() {
        assertThat(outcome(padded(8192))).isEqualTo("verified");
        assertThat(outcome(padded(8193))).isEqualTo("too_long");
        assertThat(outcome(Forge.verifier().withMaxLength(65535).verify(padded(65535))))
                .isEqualTo("verified");
        assertThat(outcome("a".repeat(10_000_000))).isEqualTo("too_long");
    }

    @Test
    void lengthLimitOutOfRange_isRefused() {
        assertThatThrownBy(() -> Forge.verifier().withMaxLength(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Forge.verifier().withMaxLength(65_536)).isInstanceOf(IllegalArgumentException.class);
        assertThat(outcome(Forge.verifier().withMaxLength(1).verify("a"))).isEqualTo("malformed");
    }

    @Test
    void tokenInsideABuffer_isVerifiedWhereItStands() {
        byte[] buffer = ("Bearer " + TOKEN + " tail").getBytes(StandardCharsets.US_ASCII);
        assertThat(outcome(Forge.verifier().verify(buffer, 7, TOKEN.length()))).isEqualTo("verified");
        assertThat(outcome(Forge.verifier().verify(buffer, 6, TOKEN.length()))).isEqualTo("bad_mac");
        assertThat(outcome(Forge.verifier().verify(buffer, 7, TOKEN.length() + 1)))
                .isEqualTo("bad_mac");
        assertThat(outcome(Forge.verifier().verify(buffer, 7, 0))).isEqualTo("malformed");
        assertThatThrownBy(() -> Forge.verifier().verify(buffer, 7, buffer.length))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** A token of exactly this many characters: white space around the claims and a longer claim make up the length. */
    private static String padded(int length) {
        for (int filler = length * 3 / 4 - 120; filler < length; filler++) {
            String token = Forge.token(claims("\"x\":\"" + "y".repeat(filler) + "\""));
            if (token.length() == length) {
                return token;
            }
        }
        String header = "{\"alg\":\"HS256\" }";
        for (int filler = length * 3 / 4 - 120; filler < length; filler++) {
            String token = Forge.token(header, claims("\"x\":\"" + "y".repeat(filler) + "\""));
            if (token.length() == length) {
                return token;
            }
        }
        throw new AssertionError("no token of " + length);
    }
}
