package dev.latchkey.auth.spring.http;

/** The {@code WWW-Authenticate} field of a rejection, with its problem (RFC 6750 section 3). */
public enum BearerChallenge {
    /** The request has no token. The field has a realm and no error, because the RFC requires at least one parameter. */
    PLAIN("Bearer realm=\"Realm\"", Problem.UNAUTHORIZED),
    /** The request has an invalid token. Only the log has the reason. */
    INVALID_TOKEN("Bearer realm=\"Realm\", error=\"invalid_token\"", Problem.UNAUTHORIZED),
    /** The token is valid, and the subject is not allowed to do this. */
    INSUFFICIENT_SCOPE("Bearer realm=\"Realm\", error=\"insufficient_scope\"", Problem.FORBIDDEN);

    private final String field;
    private final Problem problem;

    BearerChallenge(String field, Problem problem) {
        this.field = field;
        this.problem = problem;
    }

    /**
     * The challenge alone, for an answer of other code.
     *
     * @return the value of {@code WWW-Authenticate}
     */
    public String field() {
        return field;
    }

    Problem problem() {
        return problem;
    }
}
