package dev.latchkey.auth.redis;

import java.util.function.LongSupplier;

/** A node's memory of the traces left in Redis: the module's own class, over another store than Redis. */
public final class NodeTraces {

    private final Traces traces = new Traces();

    /** A call that leaves a trace. */
    public void leave(LongSupplier question) {
        long known = traces.known();
        traces.answered(known, question.getAsLong());
    }

    public long losses() {
        return traces.losses();
    }
}
