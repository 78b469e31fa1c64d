package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each sequence of bytes has one text, in arrays with and without room behind. */
class Base64UrlTest {

    private static final int LONGEST = 70;

    @Test
    void everyLength_decodesWithAndWithoutRoomBehindIt() {
        Random random = new Random(11);
        for (int length = 0; length <= LONGEST; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            byte[] text = encoded(bytes);
            byte[] exact = new byte[length];
            byte[] roomy = new byte[length + 8];
            assertThat(Base64Url.decode(text, 0, text.length, exact)).isEqualTo(length);
            assertThat(Base64Url.decode(text, 0, text.length, roomy)).isEqualTo(length);
            assertThat(exact).isEqualTo(bytes);
            assertThat(Arrays.copyOf(roomy, length)).isEqualTo(bytes);
        }
    }

    @Test
    void everyOtherCharacterAnywhere_isNotTheSameText() {
        Random random = new Random(13);
        for (int length : new int[] {1, 2, 3, 5, 6, 7, 32, 48, 64}) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            byte[] text = encoded(bytes);
            byte[] roomy = Arrays.copyOf(bytes, length + 8);
            random.ints(8, length, length + 8).forEach(i -> roomy[i] = (byte) random.nextInt());
            assertThat(Base64Url.isEncodedAt(text, 0, roomy, length)).isTrue();
            for (int place = 0; place < text.length; place++) {
                for (int value = Byte.MIN_VALUE; value <= Byte.MAX_VALUE; value++) {
                    byte[] other = text.clone();
                    other[place] = (byte) value;
                    assertThat(Base64Url.isEncodedAt(other, 0, roomy, length)).isEqualTo(value == text[place]);
                }
            }
        }
    }

    @Test
    void everyCharacterOutsideTheAlphabetAnywhere_isRefused() {
        for (int length = 2; length <= 40; length += 1) {
            byte[] text = new byte[length];
            Arrays.fill(text, (byte) 'A');
            boolean possible = length % 4 != 1;
            for (int place = 0; place < length; place++) {
                for (int value = Byte.MIN_VALUE; value <= Byte.MAX_VALUE; value++) {
                    text[place] = (byte) value;
                    boolean inAlphabet = value == '-'
                            || value == '_'
                            || (value < 0x80 && value >= 0 && Character.isLetterOrDigit(value));
                    int decoded = Base64Url.decode(text, 0, length, new byte[length]);
                    if (!possible || !inAlphabet) {
                        assertThat(decoded).isEqualTo(Base64Url.NOT_BASE64URL);
                    } else if (place < length - 1) {
                        assertThat(decoded).isEqualTo(Base64Url.decodedLength(length));
                    }
                }
                text[place] = 'A';
            }
        }
    }

    private static byte[] encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).getBytes(StandardCharsets.US_ASCII);
    }
}
