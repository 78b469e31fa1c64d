package dev.latchkey.examples.apikey;

/** The file of keys cannot be read as one; says in which line, and what belongs there, but not what stands there. */
final class MalformedKeysException extends Exception {

    MalformedKeysException(int line, String rule) {
        super("line " + line + ": " + rule);
    }

    MalformedKeysException(String rule) {
        super(rule);
    }
}
