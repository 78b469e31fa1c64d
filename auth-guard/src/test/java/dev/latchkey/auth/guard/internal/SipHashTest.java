package dev.latchkey.auth.guard.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SipHashTest {

    /** The key of the reference vectors: 00 01 02 … 0f. */
    private static final SipHash REFERENCE = new SipHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);

    /** The first eight bytes of the reference vectors' inputs, 00 01 02 …. */
    private static final long FIRST = 0x0706050403020100L;

    /** The bytes from the eighth on, two to a character. */
    private static String rest(int bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = Long.BYTES; i < bytes; i += 2) {
            text.append((char) (i | (i + 1) << Byte.SIZE));
        }
        return text.toString();
    }

    /** From the reference implementation, for inputs of so many bytes. */
    @ParameterizedTest
    @CsvSource({"8,  93f5f5799a932462", "10, 7a5dbbc594ddb9f3", "12, 751e8fbc860ee5fb", "14, f723ca908e7af2ee"})
    void hashIsSipHash24(int bytes, String hash) {
        assertThat(Long.toHexString(REFERENCE.hash(FIRST, rest(bytes)))).isEqualTo(hash);
    }

    @Test
    void numbersAreHashedAsTheTextOfTheirBytes() {
        long second = 0x0f0e0d0c0b0a0908L;
        assertThat(REFERENCE.hash(FIRST, second)).isEqualTo(REFERENCE.hash(FIRST, rest(16)));
        assertThat(REFERENCE.hash(FIRST)).isEqualTo(REFERENCE.hash(FIRST, ""));
    }

    @Test
    void everyBitOfEveryCharacterAndTheLengthCount() {
        Set<Long> hashes = new HashSet<>();
        String text = "abcdefghi";
        for (int length = 0; length <= text.length(); length++) {
            hashes.add(REFERENCE.hash(1, text.substring(0, length)));
            hashes.add(REFERENCE.hash(1, text.substring(0, length) + "\0"));
        }
        int inputs = 2 * (text.length() + 1);
        for (int i = 0; i < text.length(); i++) {
            for (int bit = 0; bit < Character.SIZE; bit++) {
                char[] changed = text.toCharArray();
                changed[i] ^= (char) (1 << bit);
                hashes.add(REFERENCE.hash(1, new String(changed)));
                inputs++;
            }
        }
        for (int bit = 1; bit < Long.SIZE; bit++) {
            hashes.add(REFERENCE.hash(1 ^ 1L << bit, text));
            inputs++;
        }
        assertThat(hashes).hasSize(inputs);
    }

    @Test
    void randomKeysDiffer() {
        assertThat(SipHash.random().hash(1, "ann"))
                .isNotEqualTo(SipHash.random().hash(1, "ann"));
    }
}
