package dev.latchkey.auth.spring.endpoint;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes once to the log that a CORS preflight to an endpoint was rejected. The browser does not show the cause to the page's
 * script, and a 401 or 403 for {@code OPTIONS} looks like a wrong password. Safe for use by any number of threads.
 */
public final class RefusedPreflights {

    private static final Logger LOG = LoggerFactory.getLogger(RefusedPreflights.class);

    private final String lineToWrite;
    private final AtomicBoolean isSaid = new AtomicBoolean();

    /**
     * Creates the log for the filter chains of servlets, or of WebFlux.
     *
     * @param lineToWrite the line of code that enables CORS in such a chain
     */
    public RefusedPreflights(String lineToWrite) {
        this.lineToWrite = lineToWrite;
    }

    /**
     * Reports the rejection. The log line contains no part of the request, because any caller can send a preflight.
     *
     * @param endpoint the endpoint that the browser may not call
     */
    public void tell(AuthEndpoint endpoint) {
        if (!isSaid.getAndSet(true)) {
            LOG.warn(
                    "A browser's CORS preflight for {} {} was refused, so no page of that origin can call the endpoint. Write {} in"
                            + " the filter chain, and define a CorsConfigurationSource bean that allows the origin. The log says so once",
                    endpoint.method(),
                    endpoint.path(),
                    lineToWrite);
        }
    }
}
