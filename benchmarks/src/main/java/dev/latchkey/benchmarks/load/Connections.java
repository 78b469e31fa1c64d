package dev.latchkey.benchmarks.load;

import io.hyperfoil.http.config.ConnectionStrategy;

/** The end of a connection after a request, and its users. */
public enum Connections {
    /** One client for all threads, with open connections. */
    SHARED("keep-alive, shared client", ConnectionStrategy.SHARED_POOL, false),
    /** A client for each thread, with an open connection. */
    OWN("keep-alive, client per thread", ConnectionStrategy.SESSION_POOLS, false),
    /** A client that asks for each connection to be closed: the server closes it first. */
    SHARED_CLOSING("closing, shared client", ConnectionStrategy.OPEN_ON_REQUEST, true),
    /** A client and a connection for each request: the client closes the connection first. */
    NEW_EACH("closing, client per thread", ConnectionStrategy.ALWAYS_NEW, false);

    private final String title;
    private final ConnectionStrategy strategy;
    private final boolean closing;

    Connections(String title, ConnectionStrategy strategy, boolean closing) {
        this.title = title;
        this.strategy = strategy;
        this.closing = closing;
    }

    public String title() {
        return title;
    }

    public ConnectionStrategy strategy() {
        return strategy;
    }

    public boolean closing() {
        return closing;
    }
}
