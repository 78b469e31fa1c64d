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

    private final InstantSource clock;

    LoginAnswers(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * @param subject the beginning of a failure's message: the request and its address
     * @throws LoginFailedException if the answer has no token
     */
    TokenAnswer read(HttpResponse<byte[]> response, LoginShape shape, String subject) {
        if (response.statusCode() != OK) {
            throw failure(response, shape, subject);
        }
        try {
            return shape.read(response.body());
        } catch (IllegalArgumentException e) {
            throw LoginFailedException.unavailable(subject + " answered what is no token", e);
        }
    }

    private LoginFailedException failure(HttpResponse<byte[]> response, LoginShape shape, String subject) {
        String type = typeOf(response.body());
        int status = response.statusCode();
        LoginFailedException failure =
                LoginFailedException.of(kindOf(status, type), subject + resultOf(status, type, shape));
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

    private static String resultOf(int status, String type, LoginShape shape) {
        if (status >= 300 && status < 400) {
            return " was redirected (" + status + "), which is not followed: name the address that it leads to";
        }
        return switch (type) {
            case NEXT_STEP -> " wants a second step: use an account without one";
            case TOO_MANY_LOGINS -> " was refused (" + status + "): the account has as many logins as it may have";
            default -> " was answered with " + status + shape.explanationOf(status);
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
