package dev.latchkey.auth.spring.endpoint;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once in the log that a CORS preflight to an endpoint was refused. The browser tells the page's script nothing about the cause, and a 401 or 403
 * for {@code OPTIONS} looks like a wrong password. Safe for use by any number of threads.
 */
public final class RefusedPreflights {

    private static final Logger LOG = LoggerFactory.getLogger(RefusedPreflights.class);

    private final String lineToWrite;
    private final AtomicBoolean isSaid = new AtomicBoolean();

    /**
     * For the chains of a stack.
     *
     * @param lineToWrite enables CORS in such a chain
     */
    public RefusedPreflights(String lineToWrite) {
        this.lineToWrite = lineToWrite;
    }

    /**
     * Whether the preflight asks for the endpoint.
     *
     * @param endpoint at the path of the preflight
     * @param wantedMethod the field {@code Access-Control-Request-Method}
     * @return whether the script wants to send the method that the endpoint answers
     */
    public static boolean asksFor(AuthEndpoint endpoint, String wantedMethod) {
        return endpoint.method().name().equals(wantedMethod);
    }

    /**
     * Reports the refusal. The line has no part of the request: any caller can send one.
     *
     * @param endpoint that the browser may not call
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
