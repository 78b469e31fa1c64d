package dev.latchkey.throttle.spring;

import java.io.IOException;

/** A throttled body could not be sent completely. The container closes the connection, so the client notices. */
final class BodyCutOffException extends IOException {

    BodyCutOffException() {
        super("The body of a response was cut off: the wait for its throttle was too long, or its client did not read");
    }

    /** The cause is a client or a rate, so a stack trace has no value. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
