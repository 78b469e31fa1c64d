package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is answered where an endpoint has thrown. */
public final class EndpointFailures {

    private static final Logger LOG = LoggerFactory.getLogger(TokenEndpoint.class);

    private EndpointFailures() {}

    /**
     * The answer to a failure. What is neither an outage nor a limit goes into the log.
     *
     * @param failure what the endpoint has thrown
     * @param endpoint named in the log
     * @return 503 or 429 for an {@link AuthUnavailableException}, 500 for anything else
     */
    public static Answer answerTo(Throwable failure, TokenEndpoint endpoint) {
        if (failure instanceof AuthUnavailableException unavailable) {
            return Answer.of(unavailable);
        }
        // Let out, it would end in an error dispatch that the service's rules answer with 401 or 403.
        LOG.error("{} failed", endpoint.path(), failure);
        return Answer.of(Problem.INTERNAL_SERVER_ERROR);
    }
}
