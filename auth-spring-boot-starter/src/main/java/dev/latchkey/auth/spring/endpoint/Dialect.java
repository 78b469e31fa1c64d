package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.login.NextStep;

/** The form of the token endpoint's answers. */
enum Dialect {
    /** For requests with a {@code grant_type}: tokens and errors of RFC 6749 sections 5.1 and 5.2. */
    OAUTH,
    /** For the grant type of RFC 8693: as for other grant types, and tokens have the type that section 2.2.1 asks for. */
    EXCHANGE,
    /** For requests without a {@code grant_type}: tokens of RFC 6749 section 5.1, and problems of RFC 9457. */
    PLAIN,
    /** The same, with tokens in the form of Nacos. */
    NACOS;

    static Dialect ofGrant(String grantType) {
        return grantType.equals(TokenRequest.TOKEN_EXCHANGE) ? EXCHANGE : OAUTH;
    }

    private boolean isOAuth() {
        return this == OAUTH || this == EXCHANGE;
    }

    Answer of(TokenRefusal refusal) {
        return isOAuth() ? refusal.asError() : refusal.asProblem();
    }

    /**
     * For a login that needs another step: {@code method} by the name of RFC 8176, {@code continuation} for the request with the
     * response, {@code expires_in} in seconds, and {@code parameters} if the step has any. RFC 6749 has no code for another step.
     * Auth0 and Okta answer {@code mfa_required}, so clients know this code.
     */
    Answer of(NextStep step) {
        // Method and continuation need no escaping: a method has letters, digits and a few signs, a continuation is
        // Base64.
        String members = ",\"method\":\"" + step.method() + "\",\"continuation\":\"" + step.continuation()
                + "\",\"expires_in\":" + step.lifetime().toSeconds()
                + (step.parameters().isEmpty() ? "" : ",\"parameters\":" + JsonText.of(step.parameters()));
        return isOAuth()
                ? OAuthError.of("mfa_required", "Another step is wanted.", members)
                : Answer.of(Problem.NEXT_STEP, members).with("WWW-Authenticate", BearerChallenge.PLAIN.field());
    }
}
