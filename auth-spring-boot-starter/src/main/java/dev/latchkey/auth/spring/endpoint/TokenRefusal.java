package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.Problem;

/** The refusals of the token endpoint, each in both forms: a problem (RFC 9457), and an error of RFC 6749 section 5.2. */
enum TokenRefusal {
    /** A field is missing, comes twice or is not readable, or a parameter is in the URL. */
    INVALID_REQUEST(Problem.BAD_REQUEST, "invalid_request", "The request is not in the form that this endpoint reads."),
    /** The password, the refresh token, the continuation or the response to a step is not accepted, for any reason. */
    INVALID_GRANT(Problem.UNAUTHORIZED, "invalid_grant", "The credentials were not accepted."),
    /** The account has as many logins as allowed. Section 5.2 has no code of its own for this case. */
    ACCOUNT_FULL(Problem.TOO_MANY_LOGINS, "invalid_grant", "The account has as many logins as it may have."),
    /** The client is not registered, or its secret is wrong. */
    INVALID_CLIENT(Problem.UNAUTHORIZED, "invalid_client", "The client was not authenticated."),
    /** The client is registered for other grant types. */
    UNAUTHORIZED_CLIENT(Problem.BAD_REQUEST, "unauthorized_client", "The client may not use this grant type."),
    /** A client revokes a token of another client: RFC 7009 section 2.1 refuses the request, and names no code. */
    TOKEN_OF_ANOTHER_CLIENT(Problem.BAD_REQUEST, "unauthorized_client", "The token was issued to another client."),
    /** The grant type is unknown, or switched off. */
    UNSUPPORTED_GRANT_TYPE(Problem.BAD_REQUEST, "unsupported_grant_type", "This server does not know this grant type."),
    /** A client asked for a scope. Latchkey's tokens have authorities and no scopes. */
    INVALID_SCOPE(Problem.BAD_REQUEST, "invalid_scope", "This server issues tokens without scopes.");

    private final Problem problem;
    private final String error;
    private final String description;

    TokenRefusal(Problem problem, String error, String description) {
        this.problem = problem;
        this.error = error;
        this.description = description;
    }

    /** The error for a body that the endpoint does not read, with the status of the problem: 400, 413 or 415. */
    static Answer unreadable(Problem problem) {
        return OAuthError.inPlaceOf(Answer.of(problem), INVALID_REQUEST.error, INVALID_REQUEST.description);
    }

    Answer asProblem() {
        return problem == Problem.UNAUTHORIZED ? Answer.of(BearerChallenge.PLAIN) : Answer.of(problem);
    }

    Answer asError() {
        return this == INVALID_CLIENT ? OAuthError.ofClient(error, description) : OAuthError.of(error, description);
    }
}
