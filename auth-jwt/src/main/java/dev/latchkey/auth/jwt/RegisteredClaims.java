package dev.latchkey.auth.jwt;

import org.jspecify.annotations.Nullable;

/**
 * The places of the registered claims (RFC 7519 section 4.1) in the JSON of one token: spans of {@link JsonScanner}, 0
 * if absent.
 */
final class RegisteredClaims extends CacheLinePadding {

    // A name of three characters as a number.
    private static final int ISS = 'i' << 16 | 's' << 8 | 's';
    private static final int SUB = 's' << 16 | 'u' << 8 | 'b';
    private static final int AUD = 'a' << 16 | 'u' << 8 | 'd';
    private static final int EXP = 'e' << 16 | 'x' << 8 | 'p';
    private static final int NBF = 'n' << 16 | 'b' << 8 | 'f';
    private static final int IAT = 'i' << 16 | 'a' << 8 | 't';
    private static final int JTI = 'j' << 16 | 't' << 8 | 'i';

    int issuer;
    int subject;
    int audience;
    int expiresAt;
    int notBefore;
    int issuedAt;
    int id;

    /** Finds the claims among the scanned members; returns the defect or null. */
    @Nullable
    JwtDefect read(byte[] json, JsonScanner scanner, int members) {
        clear();
        for (int member = 0; member < members; member++) {
            int start = scanner.nameStart(member);
            int end = scanner.nameEnd(member);
            int name = end - start == 3 ? name(json[start], json[start + 1], json[start + 2]) : 0;
            if (scanner.isNameEscaped(member)) {
                name = unescapedName(JsonText.textOf(json, start, end));
            }
            int span = scanner.valueSpan(member);
            if (name == AUD) {
                audience = span;
                if (!isStringOrStrings(json, span)) {
                    return JwtDefect.ILL_TYPED_CLAIM;
                }
            } else if ((takeText(name, span) && !isString(json, span))
                    || (takeDate(name, span) && !isDate(json, span))) {
                return JwtDefect.ILL_TYPED_CLAIM;
            }
        }
        return null;
    }

    void clear() {
        issuer = 0;
        subject = 0;
        audience = 0;
        expiresAt = 0;
        notBefore = 0;
        issuedAt = 0;
        id = 0;
    }

    /**
     * Stores the place of this claim's value; {@code false} if the name is no registered claim with a string, or the
     * claim has a place already.
     */
    boolean takeText(int name, int span) {
        int before = 0;
        switch (name) {
            case SUB -> {
                before = subject;
                subject = span;
            }
            case ISS -> {
                before = issuer;
                issuer = span;
            }
            case AUD -> {
                before = audience;
                audience = span;
            }
            case JTI -> {
                before = id;
                id = span;
            }
            default -> {
                return false;
            }
        }
        return before == 0;
    }

    /** As {@link #takeText}, for claims with dates. */
    boolean takeDate(int name, int span) {
        int before = 0;
        switch (name) {
            case EXP -> {
                before = expiresAt;
                expiresAt = span;
            }
            case IAT -> {
                before = issuedAt;
                issuedAt = span;
            }
            case NBF -> {
                before = notBefore;
                notBefore = span;
            }
            default -> {
                return false;
            }
        }
        return before == 0;
    }

    private static int name(int first, int second, int third) {
        return first << 16 | second << 8 | third;
    }

    /** A character above one byte would change the other characters of the number: another name could then be {@code sub}. */
    private static int unescapedName(String name) {
        return name.length() == 3 && name.chars().allMatch(character -> character <= 0xff)
                ? name(name.charAt(0), name.charAt(1), name.charAt(2))
                : 0;
    }

    private static boolean isDate(byte[] json, int span) {
        return NumericDate.isValid(json, JsonScanner.start(span), JsonScanner.end(span));
    }

    private static boolean isString(byte[] json, int span) {
        return json[JsonScanner.start(span)] == '"';
    }

    /** A string, or an array with at least one string: an empty array would mean no audience at all. */
    private static boolean isStringOrStrings(byte[] json, int span) {
        if (json[JsonScanner.start(span)] != '[') {
            return isString(json, span);
        }
        int end = JsonScanner.end(span);
        int at = JsonScanner.start(span);
        do {
            at = JsonScanner.blanks(json, at + 1, end);
            if (json[at] != '"') {
                return false;
            }
            at = JsonScanner.blanks(json, JsonScanner.string(json, at + 1, end), end);
        } while (json[at] == ',');
        return true;
    }
}
