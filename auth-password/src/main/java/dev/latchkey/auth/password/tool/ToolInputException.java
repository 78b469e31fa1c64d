package dev.latchkey.auth.password.tool;

import java.io.IOException;

/** What the command line was given to read cannot be what it reads; the message says all there is to say. */
final class ToolInputException extends IOException {

    ToolInputException(String message) {
        super(message);
    }
}
