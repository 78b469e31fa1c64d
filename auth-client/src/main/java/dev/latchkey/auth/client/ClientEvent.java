package dev.latchkey.auth.client;

import java.time.Duration;
import java.util.Optional;

/** Something that a {@link TokenAuthorizer} did or was refused, for metrics. Holds no secret. */
public sealed interface ClientEvent {

    /**
     * A token was issued for the credentials.
     *
     * @param lifetime as the endpoint said it; empty where it did not
     * @param elapsed from the request to the end of the answer
     */
    record LoggedIn(Optional<Duration> lifetime, Duration elapsed) implements ClientEvent {}

    /** A token was issued for a refresh token. */
    record Refreshed(Optional<Duration> lifetime, Duration elapsed) implements ClientEvent {}

    /** A refresh token was refused; the credentials are shown next. */
    record RefreshRefused() implements ClientEvent {}

    /**
     * No token was issued.
     *
     * @param backOff for which no login is tried
     */
    record LoginFailed(LoginFailedException.Kind kind, Duration backOff) implements ClientEvent {}

    /** A token that was believed to be good was refused by an answer to a request, and is given up. */
    record TokenRefused() implements ClientEvent {}

    /** A refusal was left to the caller. */
    record NotRetried(Reason reason) implements ClientEvent {

        /** Why the request was not sent again. */
        public enum Reason {
            /** Its body cannot be sent twice. */
            BODY,
            /** Fresh tokens are refused, too; logins for this reason are limited. */
            TOO_MANY_RENEWALS
        }
    }
}
