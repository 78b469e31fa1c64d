package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writing eight bytes at a time, compared with the JDK and RFC 8259 section 7. */
class JsonBufferTest {

    /** Stands after the text, where a careless writer would look. */
    private static final String DIRT = "\"\\\u0001\"\\\u0001\"\\";

    private final JsonBuffer buffer = new JsonBuffer(4);

    private String number(long value) {
        buffer.clear();
        buffer.put('[');
        buffer.number(value);
        buffer.put(']');
        return written();
    }

    private String string(String text) {
        buffer.clear();
        buffer.put(DIRT.repeat(10).getBytes(StandardCharsets.US_ASCII));
        buffer.clear();
        buffer.string(text);
        return written();
    }

    private String written() {
        return new String(buffer.bytes(), 0, buffer.length(), StandardCharsets.UTF_8);
    }

    @Test
    void numberOfEveryLength_hasItsDigits() {
        LongStream powers = LongStream.iterate(1, power -> power * 10).limit(19);
        powers.flatMap(power -> LongStream.of(power - 1, power, power + 1, power * 9, power / 7 * 6, -power))
                .forEach(value -> assertThat(number(value)).isEqualTo("[" + value + "]"));
        LongStream.of(0, Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE + 1L)
                .forEach(value -> assertThat(number(value)).isEqualTo("[" + value + "]"));
    }

    @Test
    void numberOfEightDigits_isRight_forAllParts() {
        Random random = new Random(8);
        for (int i = 0; i < 10_000; i++) {
            assertThat(number(i)).isEqualTo("[" + i + "]");
            assertThat(number(i * 10_000L + i)).isEqualTo("[" + (i * 10_000L + i) + "]");
            long any = random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63);
            assertThat(number(any)).isEqualTo("[" + any + "]");
        }
        assertThat(number(BigInteger.TEN.pow(18).longValueExact())).hasSize(21);
    }

    @Test
    void everyCharacterAtEveryPlace_isEscapedOrNot() {
        for (int length = 1; length < 20; length++) {
            for (int place = 0; place < length; place++) {
                for (char c = 0; c < 0x180; c++) {
                    String before = "a".repeat(place);
                    String after = "~".repeat(length - place - 1);
                    assertThat(string(before + c + after)).isEqualTo("\"" + before + escaped(c) + after + "\"");
                }
            }
        }
    }

    private static String escaped(char c) {
        if (c == '"' || c == '\\') {
            return "\\" + c;
        }
        return c < ' ' ? "\\u%04x".formatted((int) c) : String.valueOf(c);
    }

    @Test
    void manySmallPieces_makeTheBufferGrow() {
        buffer.clear();
        for (int i = 0; i < 100; i++) {
            buffer.put('[');
        }
        for (int i = 0; i < 100; i++) {
            buffer.put(0x6161616161616161L, 8);
        }
        assertThat(written()).isEqualTo("[".repeat(100) + "a".repeat(800));
    }

    @Test
    void textOfEscapes_leavesRoomForOneLongBehindIt() {
        for (int length = 0; length < 100; length++) {
            JsonBuffer small = new JsonBuffer(0);
            small.string("\u0001".repeat(length));
            assertThat(small.length()).isEqualTo(6 * length + 2);
            assertThat(small.bytes().length - small.length()).isGreaterThanOrEqualTo(Long.BYTES);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u07ff\u0800\uffff\ud800\udc00\udbff\udfff",
                "",
                "\uff22",
                "\u0122\u015c",
                "abc\u2020def",
                "\ud83d\ude00 and more",
                "\u0100bcdefgh"
            })
    void textBeyondLatin1_isNotTakenForItsLowerBytes(String text) {
        assertThat(string(text)).isEqualTo("\"" + text + "\"");
    }
}
