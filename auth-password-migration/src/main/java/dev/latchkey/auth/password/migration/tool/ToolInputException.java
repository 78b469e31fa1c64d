package dev.latchkey.auth.password.migration.tool;

import java.io.IOException;

/** The command cannot read the input. The message is complete. */
final class ToolInputException extends IOException {

    ToolInputException(String message) {
        super(message);
    }
}
