package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Eight bytes at a time have the result of single bytes. */
class EightBytesTest {

    private static final int LENGTH = 27;

    @Test
    void plainTextAndDigits_endAtEveryOtherByte_atEveryPlace() {
        for (int value = Byte.MIN_VALUE; value <= Byte.MAX_VALUE; value++) {
            boolean plain = value >= ' ' && value != '"' && value != '\\';
            boolean digit = value >= '0' && value <= '9';
            for (int place = 0; place < LENGTH; place++) {
                byte[] text = new byte[LENGTH];
                Arrays.fill(text, (byte) '7');
                text[place] = (byte) value;
                assertThat(EightBytes.plainText(text, 0, LENGTH)).isEqualTo(plain ? LENGTH : place);
                assertThat(EightBytes.digits(text, 0, LENGTH)).isEqualTo(digit ? LENGTH : place);
            }
        }
    }

    @Test
    void plainTextAndDigits_endWhereOneByteAtATimeEndsThem() {
        Random random = new Random(3);
        for (int round = 0; round < 20_000; round++) {
            byte[] text = new byte[random.nextInt(40)];
            for (int i = 0; i < text.length; i++) {
                text[i] = (byte) (random.nextInt(8) == 0 ? random.nextInt(256) : '0' + random.nextInt(11));
            }
            int from = text.length == 0 ? 0 : random.nextInt(text.length);
            int plain = from;
            while (plain < text.length && text[plain] >= ' ' && text[plain] != '"' && text[plain] != '\\') {
                plain++;
            }
            int digits = from;
            while (digits < text.length && text[digits] >= '0' && text[digits] <= '9') {
                digits++;
            }
            assertThat(EightBytes.plainText(text, from, text.length)).isEqualTo(plain);
            assertThat(EightBytes.digits(text, from, text.length)).isEqualTo(digits);
        }
    }

    @Test
    void numbersOfUpToEighteenDigits_areReadExactly() {
        Random random = new Random(5);
        for (int round = 0; round < 20_000; round++) {
            int digits = 1 + random.nextInt(18);
            StringBuilder text = new StringBuilder("x");
            for (int i = 0; i < digits; i++) {
                text.append((char) ('0' + random.nextInt(10)));
            }
            byte[] bytes = text.append('9').toString().getBytes(StandardCharsets.US_ASCII);
            assertThat(EightBytes.numberOf(bytes, 1, 1 + digits))
                    .isEqualTo(Long.parseLong(text.substring(1, 1 + digits)));
            for (char wrong : new char[] {'/', ':', '.', '-', ' ', '\0', (char) 0xb0, (char) 0xff}) {
                byte[] spoilt = bytes.clone();
                spoilt[1 + random.nextInt(digits)] = (byte) wrong;
                assertThat(EightBytes.numberOf(spoilt, 1, 1 + digits)).isNegative();
            }
        }
    }

    @Test
    void equalTexts_shareTheirHashWhereverTheyStand() {
        byte[] text = "a-name-longer-than-a-word a-name-longer-than-a-word".getBytes(StandardCharsets.US_ASCII);
        for (int length = 0; length <= 25; length++) {
            assertThat(EightBytes.hash(text, 0, length)).isEqualTo(EightBytes.hash(text, 26, 26 + length));
        }
        assertThat(EightBytes.hash(text, 0, 3)).isNotEqualTo(EightBytes.hash(text, 1, 4));
    }
}
