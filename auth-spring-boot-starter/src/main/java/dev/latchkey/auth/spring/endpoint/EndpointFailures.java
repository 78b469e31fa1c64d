package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers to exceptions of an endpoint. */
public final class EndpointFailures {

    private static final Logger LOG = LoggerFactory.getLogger(AuthEndpoint.class);

    private EndpointFailures() {}

    /**
     * The answer to a failure. The log gets all failures except outages and limits.
     *
     * @param failure the exception of the endpoint
     * @param endpoint named in the log
     * @param request decides about the form of the body
     * @return 503 or 429 for an {@link AuthUnavailableException}, 500 for all other exceptions
     */
    public static Answer answerTo(Throwable failure, AuthEndpoint endpoint, EndpointRequest request) {
        // A thrown exception would end in an error dispatch. The service's rules answer such a dispatch with 401 or
        // 403.
        Answer answer = Answer.ofFailure(failure, unexpected -> LOG.error("{} failed", endpoint.path(), unexpected));
        return endpoint.speaksOAuth(request) ? OAuthError.inPlaceOf(answer, failure) : answer;
    }

    /**
     * The answer to a body that ends too early, or has a malformed chunk. A thrown exception would end in an error dispatch. The log
     * has the failure at the level DEBUG, because most such failures are the client's.
     *
     * @param failure of the reading
     * @param endpoint decides about the form of the answer
     * @param request without the body
     * @return 400
     */
    public static Answer answerToBrokenBody(Throwable failure, AuthEndpoint endpoint, EndpointRequest request) {
        LOG.debug("The body of a request for {} could not be read", endpoint.path(), failure);
        return endpoint.speaksOAuth(request)
                ? TokenRefusal.unreadable(Problem.BAD_REQUEST)
                : Answer.of(Problem.BAD_REQUEST);
    }
}
