package dev.latchkey.auth.jwt;

/** A place in the bytes of a JSON text. */
final class JsonPosition {

    /** Not a place: the text breaks RFC 8259. */
    static final int DEFECT = -1;

    private JsonPosition() {}
}
