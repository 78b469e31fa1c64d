package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.http.Answer;
import java.nio.charset.StandardCharsets;

/** Error answers of RFC 6749 section 5.2: a JSON object with {@code error} and {@code error_description}. */
final class OAuthError {

    private OAuthError() {}

    /** The status 400 with this error. Code and description are ASCII without quotes. */
    static Answer of(String error, String description) {
        return of(error, description, "");
    }

    /** The status and the fields of an answer, with this error as its body. */
    static Answer inPlaceOf(Answer answer, String error, String description) {
        return with(answer, error, description, "");
    }

    /** The status 401 for a client that is not authenticated, with a challenge for HTTP Basic. */
    static Answer ofClient(String error, String description) {
        return with(Answer.of(401), error, description, "").with("WWW-Authenticate", "Basic realm=\"Realm\"");
    }

    /** The status 400 with this error and more JSON members in ASCII, each after a comma. */
    static Answer of(String error, String description, String members) {
        return with(Answer.of(400), error, description, members);
    }

    /**
     * The status and the fields of an answer, with a body for OAuth clients. {@code temporarily_unavailable} and
     * {@code server_error} are codes of section 4.1.2.1, because section 5.2 has no code for outages and limits.
     */
    static Answer inPlaceOf(Answer answer, Throwable failure) {
        return failure instanceof AuthUnavailableException
                ? with(answer, "temporarily_unavailable", "Try again later.", "")
                : with(answer, "server_error", "The request could not be decided.", "");
    }

    private static Answer with(Answer answer, String error, String description, String members) {
        String json = "{\"error\":\"" + error + "\",\"error_description\":\"" + description + "\"" + members + "}";
        return answer.withJson(json.getBytes(StandardCharsets.US_ASCII)).with("Pragma", "no-cache");
    }
}
