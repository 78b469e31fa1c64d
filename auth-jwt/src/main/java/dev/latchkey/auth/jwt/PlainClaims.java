package dev.latchkey.auth.jwt;

/**
 * Reads claims that are written as nearly every issuer writes them: registered claims alone, once each, without white space,
 * their strings plain ASCII, their dates whole seconds.
 *
 * <p>This is no second grammar: it accepts a part of what {@link JsonScanner} and {@link RegisteredClaims} accept together, and
 * finds there what they find. About everything else it has no opinion, and they decide. It is for speed alone: one pass, no
 * list of names, since the names it knows leave their own marks.
 */
final class PlainClaims {

    /** What stands around a name of three letters: a quotation mark before, and another and a colon behind. */
    private static final long FRAME = 0x3a22_0000_0022L;

    private static final long FRAME_PLACES = 0xffff_0000_00ffL;
    private static final int FRAME_LENGTH = 6;

    /** The shortest member, and the brace that closes the object. */
    private static final int SHORTEST_END = FRAME_LENGTH + 2;

    /** So many digits lie within {@link NumericDate}'s range, whatever the digits. */
    private static final int DATE_DIGITS = 11;

    private PlainClaims() {}

    /** Whether the first {@code end} bytes are such claims; if not, what {@code claims} says is worth nothing. */
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
