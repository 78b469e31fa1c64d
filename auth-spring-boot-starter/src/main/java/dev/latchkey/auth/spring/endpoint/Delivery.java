package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.login.AccountFull;
import dev.latchkey.auth.spring.login.IssuedTokens;
import dev.latchkey.auth.spring.login.LoginOutcome;
import dev.latchkey.auth.spring.login.NextStep;
import dev.latchkey.auth.spring.login.RefreshToken;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the outcome of a login to a client: in a dialect, with the tokens in the body or in cookies.
 *
 * @param dialect of the answer
 * @param cookies for the tokens; null for tokens in the body
 * @param refreshLifetime the browser keeps the refresh token as long
 */
record Delivery(Dialect dialect, @Nullable LoginCookies cookies, Duration refreshLifetime) {

    /** A client of Nacos reads the tokens in the body. */
    static Delivery of(Dialect dialect, EndpointRequest request, Duration refreshLifetime) {
        return new Delivery(
                dialect, dialect == Dialect.NACOS ? null : request.cookies().orElse(null), refreshLifetime);
    }

    /** @param outcome empty for rejected credentials */
    Answer of(Optional<? extends LoginOutcome> outcome) {
        LoginOutcome decided = outcome.orElse(null);
        if (decided == null) {
            return of(TokenRefusal.INVALID_GRANT);
        }
        if (decided instanceof AccountFull) {
            return of(TokenRefusal.ACCOUNT_FULL);
        }
        return decided instanceof NextStep step ? dialect.of(step) : of((IssuedTokens) decided);
    }

    private Answer of(IssuedTokens tokens) {
        if (cookies == null) {
            return TokenResponse.of(dialect, tokens);
        }
        Answer answer = TokenResponse.withoutTokens(tokens)
                .withCookie(cookies.accessCookie(
                        tokens.access().value(), tokens.access().lifetime()));
        RefreshToken refresh = tokens.refresh().orElse(null);
        // The browser may have a refresh token of another user, from an earlier login.
        return answer.withCookie(
                refresh == null
                        ? cookies.refreshCookie("", Duration.ZERO)
                        : cookies.refreshCookie(refresh.text(), refreshLifetime));
    }

    Answer of(TokenRefusal refusal) {
        return dialect.of(refusal);
    }
}
