package dev.latchkey.auth.jwt;

/**
 * Reads claims in their most common form: only registered claims, once each, without white space, with plain ASCII
 * strings and dates in whole seconds.
 *
 * <p>This class is not a second grammar. {@link JsonScanner} and {@link RegisteredClaims} accept the same claims with
 * the same result. All other claims go to these two classes. The only purpose is speed: one pass without a list of
 * names.
 */
final class PlainClaims {

    /**
     * The frame of a name of three letters: a quotation mark before the name, a quotation mark and a colon after the
     * name.
     */
    private static final long FRAME = 0x3a22_0000_0022L;

    private static final long FRAME_PLACES = 0xffff_0000_00ffL;
    private static final int FRAME_LENGTH = 6;

    /** The shortest member and the object's closing brace. */
    private static final int SHORTEST_END = FRAME_LENGTH + 2;

    /** Every number with this many digits is within {@link NumericDate}'s range. */
    private static final int DATE_DIGITS = 11;

    private PlainClaims() {}

    /** Whether the first {@code end} bytes have this form. If not, do not use the content of {@code claims}. */
    static boolean read(byte[] json, int end, RegisteredClaims claims) {
        claims.clear();
        int at = 1;
        while (end - at >= SHORTEST_END && end <= JsonScanner.MAX_LENGTH) {
            long word = EightBytes.at(json, at);
            int start = at + FRAME_LENGTH;
            boolean isText = json[start] == '"';
            at = isText ? EightBytes.plainText(json, start + 1, end) + 1 : EightBytes.digits(json, start, end);
            if ((word & FRAME_PLACES) != FRAME || at >= end) {
                return false;
            }
            int name = Integer.reverseBytes((int) (word >>> 8)) >>> 8;
            int span = JsonScanner.span(start, at);
            boolean taken = isText
                    ? json[at - 1] == '"' && claims.takeText(name, span)
                    : at - start <= DATE_DIGITS && json[start] > '0' && claims.takeDate(name, span);
            if (!taken) {
                return false;
            }
            if (json[at] != ',') {
                return json[at] == '}' && at + 1 == end && json[0] == '{';
            }
            at++;
        }
        return false;
    }
}
