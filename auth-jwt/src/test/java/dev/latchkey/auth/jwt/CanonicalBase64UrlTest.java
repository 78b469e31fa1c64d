package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Beside the JDK's encoder, for every byte and every length. */
class CanonicalBase64UrlTest {

    private static final Base64.Encoder JDK = Base64.getUrlEncoder().withoutPadding();
    private static final int SLACK = Long.BYTES;

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @Test
    void everyLength_isEncodedAndDecodedAsTheJdkDoes() {
        for (int length = 0; length < 100; length++) {
            byte[] bytes = bytes(length);
            byte[] expected = JDK.encode(bytes);
            assertThat(Base64Url.encodedLength(length)).isEqualTo(expected.length);
            assertThat(Base64Url.encoded(bytes)).isEqualTo(expected);
            byte[] withMore = Arrays.copyOf(bytes, length + SLACK);
            Arrays.fill(withMore, length, withMore.length, (byte) 0xa5);
            byte[] text = new byte[1 + expected.length + SLACK];
            assertThat(Base64Url.encode(withMore, length, text, 1)).isEqualTo(expected.length + 1);
            assertThat(Arrays.copyOfRange(text, 1, expected.length + 1)).isEqualTo(expected);
            assertThat(text[0]).as("what lies before").isZero();
            assertThat(Base64Url.decodedLength(expected.length)).isEqualTo(length);
            byte[] decoded = new byte[length];
            assertThat(Base64Url.decode(text, 1, expected.length + 1, decoded)).isEqualTo(length);
            assertThat(decoded).isEqualTo(bytes);
        }
    }

    @Test
    void everySixBits_areTheirOwnCharacterInEachPlaceOfAWord() {
        for (int place = 0; place < 8; place++) {
            for (int value = 0; value < 64; value++) {
                byte[] bytes = Arrays.copyOf(sixBytes((long) value << (42 - 6 * place)), 6 + SLACK);
                byte[] text = Arrays.copyOf(JDK.encode(Arrays.copyOf(bytes, 6)), 8 + SLACK);
                assertThat(Base64Url.isEncodedAt(text, 0, bytes, 6)).isTrue();
                text[place]++;
                assertThat(Base64Url.isEncodedAt(text, 0, bytes, 6)).isFalse();
            }
        }
    }

    private static byte[] sixBytes(long bits) {
        byte[] bytes = new byte[6];
        for (int i = 0; i < 6; i++) {
            bytes[i] = (byte) (bits >>> (40 - 8 * i));
        }
        return bytes;
    }

    @Test
    void comparison_seesEveryCharacterAndNothingAround() {
        for (int length = 0; length < 40; length++) {
            byte[] bytes = Arrays.copyOf(bytes(length), length + SLACK);
            Arrays.fill(bytes, length, bytes.length, (byte) 0xa5);
            byte[] encoded = JDK.encode(Arrays.copyOf(bytes, length));
            byte[] text = new byte[3 + encoded.length + SLACK];
            Arrays.fill(text, (byte) '!');
            System.arraycopy(encoded, 0, text, 3, encoded.length);
            assertThat(Base64Url.isEncodedAt(text, 3, bytes, length))
                    .as("length " + length)
                    .isTrue();
            for (int i = 3; i < 3 + encoded.length; i++) {
                for (int bit = 0; bit < 8; bit++) {
                    text[i] ^= (byte) (1 << bit);
                    assertThat(Base64Url.isEncodedAt(text, 3, bytes, length))
                            .as("length " + length + ", character " + i)
                            .isFalse();
                    text[i] ^= (byte) (1 << bit);
                }
            }
        }
    }

    @Test
    void everyByteOutsideTheAlphabet_isRefusedInEachPlace() {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        for (int b = 0; b < 256; b++) {
            if (alphabet.indexOf(b) >= 0) {
                continue;
            }
            for (String good : new String[] {"AAAAAAAA", "AAAAAA", "AAAAAAA"}) {
                for (int place = 0; place < good.length(); place++) {
                    byte[] text = good.getBytes(StandardCharsets.US_ASCII);
                    assertThat(Base64Url.decode(text, 0, text.length, new byte[6]))
                            .isPositive();
                    text[place] = (byte) b;
                    assertThat(Base64Url.decode(text, 0, text.length, new byte[6]))
                            .isEqualTo(Base64Url.NOT_BASE64URL);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "A, -1",
        "AAAAA, -1",
        "AB, -1",
        "AP, -1",
        "AQ, 1",
        "Aw, 1",
        "AAB, -1",
        "AAC, -1",
        "AAD, -1",
        "AAE, 2",
        "AA8, 2"
    })
    void unusedBits_mustBeZero(String text, int length) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        assertThat(Base64Url.decode(bytes, 0, bytes.length, new byte[6])).isEqualTo(length);
    }
}
