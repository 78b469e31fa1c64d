package dev.latchkey.auth.client;

import dev.latchkey.auth.client.LoginFailedException.Kind;
import dev.latchkey.auth.client.wire.RetryAfter;
import dev.latchkey.auth.json.JsonMembers;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.Set;

/**
 * Interprets an endpoint's answer. No message contains text from a body, because the body may repeat the sent
 * credentials.
 */
final class LoginAnswers {

    /** The problem types of Latchkey's login endpoint (RFC 9457). */
    private static final String NEXT_STEP = "tag:latchkey.dev,2026:next-step";

    private static final String TOO_MANY_LOGINS = "tag:latchkey.dev,2026:too-many-logins";

    private static final int OK = 200;

    /** The statuses from 400 to 499 with a chance of success later: time-out, too early, too many requests. */
    private static final Set<Integer> PASSING = Set.of(408, 425, 429);

    private final LoginEndpoint endpoint;
    private final InstantSource clock;

    LoginAnswers(LoginEndpoint endpoint, InstantSource clock) {
        this.endpoint = endpoint;
        this.clock = clock;
    }

    /** @throws LoginFailedException if the answer has no token */
    TokenAnswer read(HttpResponse<byte[]> response, LoginShape shape) {
        if (response.statusCode() != OK) {
            throw failure(response);
        }
        try {
            return shape.read(response.body());
        } catch (IllegalArgumentException e) {
            throw LoginFailedException.unavailable("The login at " + endpoint + " answered what is no token", e);
        }
    }

    private LoginFailedException failure(HttpResponse<byte[]> response) {
        String type = typeOf(response.body());
        LoginFailedException failure =
                LoginFailedException.of(kindOf(response.statusCode(), type), messageOf(response.statusCode(), type));
        return RetryAfter.in(response.headers(), clock.instant())
                .map(failure::withRetryAfter)
                .orElse(failure);
    }

    private static Kind kindOf(int status, String type) {
        if (status < 400 || status >= 500 || PASSING.contains(status) || type.equals(TOO_MANY_LOGINS)) {
            return Kind.UNAVAILABLE;
        }
        return type.equals(NEXT_STEP) ? Kind.SECOND_STEP : Kind.REFUSED;
    }

    private String messageOf(int status, String type) {
        if (status >= 300 && status < 400) {
            return "The login at " + endpoint + " was redirected (" + status
                    + "), which is not followed: name the address that it leads to";
        }
        return switch (type) {
            case NEXT_STEP -> "The login at " + endpoint + " wants a second step: use an account without one";
            case TOO_MANY_LOGINS ->
                "The login at " + endpoint + " was refused (" + status
                        + "): the account has as many logins as it may have";
            default ->
                "The login at " + endpoint + " was answered with " + status
                        + endpoint.shape().explanationOf(status);
        };
    }

    /** The type of a problem (RFC 9457); empty if the body is not a problem. */
    private static String typeOf(byte[] body) {
        try {
            return JsonMembers.of(body).texts().getOrDefault("type", "");
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
