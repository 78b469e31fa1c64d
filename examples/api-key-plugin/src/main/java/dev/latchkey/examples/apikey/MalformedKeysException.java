package dev.latchkey.examples.apikey;

/** The file of keys is malformed. The message names the line and the expected form, and no content of the line. */
final class MalformedKeysException extends Exception {

    MalformedKeysException(int line, String rule) {
        super("line " + line + ": " + rule);
    }

    MalformedKeysException(String rule) {
        super(rule);
    }
}
