package dev.latchkey.auth.client;

import java.time.Duration;
import java.util.Optional;

/** An action or a rejection of a {@link TokenAuthorizer}, for metrics. Holds no secret. */
public sealed interface ClientEvent {

    /**
     * A login with the credentials returned a token.
     *
     * @param lifetime from the endpoint; empty if unknown
     * @param elapsed from the request to the end of the answer
     */
    record LoggedIn(Optional<Duration> lifetime, Duration elapsed) implements ClientEvent {}

    /** A refresh token returned a new token. */
    record Refreshed(Optional<Duration> lifetime, Duration elapsed) implements ClientEvent {}

    /** The endpoint rejected a refresh token. A login with the credentials follows. */
    record RefreshRefused() implements ClientEvent {}

    /**
     * A login or a refresh returned no token.
     *
     * @param backOff the pause before the next login
     */
    record LoginFailed(LoginFailedException.Kind kind, Duration backOff) implements ClientEvent {}

    /** An answer to a request rejected a token that should be valid. The token is dropped. */
    record TokenRefused() implements ClientEvent {}

    /** The caller receives the rejecting answer, without a retry. */
    record NotRetried(Reason reason) implements ClientEvent {

        /** The reason for sending no second request. */
        public enum Reason {
            /** The request's body cannot be sent twice. */
            BODY,
            /** New tokens are rejected too. Logins for this reason are rate-limited. */
            TOO_MANY_RENEWALS
        }
    }
}
