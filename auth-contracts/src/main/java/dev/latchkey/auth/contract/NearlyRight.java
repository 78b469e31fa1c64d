package dev.latchkey.auth.contract;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Texts with small differences to a right text, missed by careless comparisons. The key of each text does not reveal the right
 * text.
 */
final class NearlyRight {

    /** Where DES crypt, columns, bcrypt and buffers cut, in characters; and a last one for whatever cuts elsewhere. */
    private static final int[] CUTS = {1, 8, 16, 20, 24, 32, 40, 50, 55, 56, 64, 72, 100, 127, 128, 255, 256, 512};

    private NearlyRight() {}

    static Map<String, String> of(String right) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("in upper case", right.toUpperCase(Locale.ROOT));
        all.put("in lower case", right.toLowerCase(Locale.ROOT));
        for (int cut : CUTS) {
            if (cut < right.length()) {
                String kept = right.substring(0, cut);
                all.put("cut after " + cut + " characters", kept);
                all.put("with only its first " + cut + " characters right", kept + others(right.substring(cut)));
            }
        }
        int last = right.length() - 1;
        all.put("without its last character", right.substring(0, last));
        all.put("with another last character", right.substring(0, last) + other(right.charAt(last)));
        all.put("with a space before it", " " + right);
        all.put("with a space after it", right + " ");
        all.put("with a tab after it", right + "\t");
        all.put("with a line's end after it", right + "\n");
        all.put("with a NUL after it", right + "\0");
        all.put("with one more character", right + "x");
        all.put("twice", right + right);
        all.put("left empty", "");
        all.put("without its first character", right.substring(1));
        all.put("with another first character", other(right.charAt(0)) + right.substring(1));
        all.put("with its first character in full width (NFKC folds it)", fullWidth(right));
        all.put("with a zero-width space after it", right + "\u200B");
        all.put("with a soft hyphen in it", right.charAt(0) + "\u00AD" + right.substring(1));
        all.values().removeIf(right::equals);
        return all;
    }

    /** Replaces the first ASCII character with a full-width form. */
    private static String fullWidth(String right) {
        for (int i = 0; i < right.length(); i++) {
            char character = right.charAt(i);
            if (character > ' ' && character < 0x7F) {
                return right.substring(0, i) + (char) (character + 0xFEE0) + right.substring(i + 1);
            }
        }
        return right;
    }

    private static String others(String text) {
        StringBuilder others = new StringBuilder();
        text.chars().forEach(character -> others.append(other((char) character)));
        return others.toString();
    }

    private static char other(char character) {
        return character == 'x' ? 'y' : 'x';
    }
}
