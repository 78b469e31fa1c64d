package dev.latchkey.auth.jwt;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The protected header of a token (RFC 7515 section 4): writes the header of each key, and checks other headers.
 *
 * <p>A header is read only after the MAC is verified. The header cannot choose the algorithm or the key. Embedded or
 * linked keys ({@code jwk}, {@code jku}, {@code x5c}, {@code x5u}) are ignored.
 */
final class JoseHeader {

    static final String DEFAULT_TYPE = "JWT";

    private static final String MEDIA_TYPE_PREFIX = "application/";

    private JoseHeader() {}

    /** The JSON of the header for tokens of this key, with a type if there is one. */
    static byte[] jsonOf(HmacKey key, @Nullable String type) {
        JsonWriter json = new JsonWriter(64);
        json.begin();
        json.member("alg", key.algorithm().name());
        if (type != null) {
            json.member("typ", type);
        }
        key.id().ifPresent(id -> json.member("kid", id));
        json.end();
        return Arrays.copyOf(json.buffer(), json.length());
    }

    /** The encoded header with the dot, as in a token. */
    static byte[] encoded(byte[] json) {
        byte[] text = Base64Url.encoded(json);
        byte[] withDot = Arrays.copyOf(text, text.length + 1);
        withDot[text.length] = '.';
        return withDot;
    }

    /** @throws IllegalArgumentException if the text is not a valid value of {@code typ} */
    static String requireType(String type) {
        if (type.isEmpty() || type.length() > 255 || type.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException("A token's type is a media type of 1 to 255 visible ASCII characters");
        }
        return type;
    }

    /** Whether two types are equal, ignoring case and the optional prefix (RFC 7515 section 4.1.9). */
    private static boolean isSameType(String one, String other) {
        return normalType(one).equals(normalType(other));
    }

    private static String normalType(String type) {
        String lower = type.toLowerCase(Locale.ROOT);
        boolean redundant = lower.startsWith(MEDIA_TYPE_PREFIX) && lower.indexOf('/', MEDIA_TYPE_PREFIX.length()) < 0;
        return redundant ? lower.substring(MEDIA_TYPE_PREFIX.length()) : lower;
    }

    /** Checks the header after the MAC was verified, and returns the defect or null. */
    @Nullable
    static JwtDefect check(byte[] json, JsonScanner scanner, HmacAlgorithm algorithm, @Nullable String expectedType) {
        int members = scanner.scan(json, json.length);
        if (members == JsonPosition.DEFECT) {
            return JwtDefect.MALFORMED_HEADER;
        }
        boolean algorithmSeen = false;
        boolean typeSeen = expectedType == null;
        for (int member = 0; member < members; member++) {
            int start = JsonScanner.start(scanner.valueSpan(member));
            int end = JsonScanner.end(scanner.valueSpan(member));
            switch (JsonText.textOf(json, scanner.nameStart(member), scanner.nameEnd(member))) {
                case "alg" -> {
                    if (!isExactly(algorithm.name(), json, start, end)) {
                        return JwtDefect.WRONG_ALGORITHM;
                    }
                    algorithmSeen = true;
                }
                case "typ" -> {
                    if (json[start] != '"') {
                        return JwtDefect.MALFORMED_HEADER;
                    }
                    if (expectedType != null && !isSameType(expectedType, JsonText.textOf(json, start + 1, end - 1))) {
                        return JwtDefect.WRONG_TYPE;
                    }
                    typeSeen = true;
                }
                case "kid", "cty" -> {
                    if (json[start] != '"') {
                        return JwtDefect.MALFORMED_HEADER;
                    }
                }
                case "crit", "b64", "zip" -> {
                    return JwtDefect.UNSUPPORTED_HEADER;
                }
                default -> {}
            }
        }
        if (!algorithmSeen) {
            return JwtDefect.WRONG_ALGORITHM;
        }
        return typeSeen ? null : JwtDefect.WRONG_TYPE;
    }

    /** Compares byte by byte, with the quotation marks: no honest issuer writes an algorithm with escapes. */
    private static boolean isExactly(String word, byte[] json, int start, int end) {
        if (end - start != word.length() + 2 || json[start] != '"') {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (json[start + 1 + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
