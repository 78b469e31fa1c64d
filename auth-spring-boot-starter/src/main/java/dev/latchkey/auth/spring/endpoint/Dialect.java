package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.login.IssuedTokens;
import dev.latchkey.auth.spring.login.NextStep;

/** The form of the token endpoint's answers. */
enum Dialect {
    /** For requests with a {@code grant_type}: tokens and errors of RFC 6749 sections 5.1 and 5.2. */
    OAUTH {
        @Override
        Answer of(NextStep step) {
            return StepAnswer.asError(step);
        }

        @Override
        Answer of(TokenRefusal refusal) {
            return refusal.asError();
        }
    },
    /** For the grant type of RFC 8693: as for other grant types, and tokens have the type that section 2.2.1 asks for. */
    EXCHANGE {
        @Override
        Answer of(NextStep step) {
            return OAUTH.of(step);
        }

        @Override
        Answer of(TokenRefusal refusal) {
            return OAUTH.of(refusal);
        }
    },
    /** For requests without a {@code grant_type}: tokens of RFC 6749 section 5.1, and problems of RFC 9457. */
    PLAIN,
    /** The same, with tokens in the form of Nacos. */
    NACOS;

    static Dialect ofGrant(String grantType) {
        return grantType.equals(TokenRequest.TOKEN_EXCHANGE) ? EXCHANGE : OAUTH;
    }

    Answer of(IssuedTokens tokens) {
        return TokenResponse.of(this, tokens);
    }

    Answer of(NextStep step) {
        return StepAnswer.asProblem(step);
    }

    Answer of(TokenRefusal refusal) {
        return refusal.asProblem();
    }
}
