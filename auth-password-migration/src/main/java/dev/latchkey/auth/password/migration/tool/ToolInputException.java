package dev.latchkey.auth.password.migration.tool;

import java.io.IOException;

/** The input cannot be what the command reads. The message says all there is to say. */
final class ToolInputException extends IOException {

    ToolInputException(String message) {
        super(message);
    }
}
