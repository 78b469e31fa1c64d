package dev.latchkey.auth.jwt;

/** A place in the bytes of a JSON text, as the methods that scan it pass it on. */
final class JsonPosition {

    /** No place: what should begin there is not as RFC 8259 has it. */
    static final int DEFECT = -1;

    private JsonPosition() {}
}
