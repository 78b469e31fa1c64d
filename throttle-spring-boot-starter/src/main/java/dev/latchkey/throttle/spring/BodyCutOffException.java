package dev.latchkey.throttle.spring;

import java.io.IOException;

/** A throttled body could not be sent to its end; the container closes the connection, so that the client notices. */
final class BodyCutOffException extends IOException {

    BodyCutOffException() {
        super(
                "The body of a response was cut off: it had to wait too long for its throttle, or its client did not read");
    }

    /** The cause is a client or a rate: where in the filter it was thrown does not matter. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
