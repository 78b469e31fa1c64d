package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.engine.AuthChain;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells a client without valid credentials how to authenticate, in one {@code WWW-Authenticate} field (RFC 9110 section 11.6.1):
 * {@code Bearer} if a plugin takes such tokens, and the plugins' own challenges ({@link CredentialsReader#challenge}). Without
 * challenges there is no field. Spring Security asks for HTTP Basic itself. Immutable.
 */
public final class Challenges {

    private final Answer answer;

    private Challenges(Answer answer) {
        this.answer = answer;
    }

    /**
     * The challenges of a chain of plugins.
     *
     * @param plugins asked here, once; a challenge with invalid characters is left out
     * @return the same for each request
     */
    public static Challenges of(AuthChain plugins) {
        Stream<String> bearer =
                plugins.decidesAbout(BearerToken.class) ? Stream.of(BearerChallenge.PLAIN.field()) : Stream.empty();
        Stream<String> own = plugins.readers().challenges().stream()
                .filter(Challenges::isFieldValue)
                .distinct();
        String field = Stream.concat(bearer, own).collect(Collectors.joining(", "));
        Answer refusal = Answer.of(Problem.UNAUTHORIZED);
        return new Challenges(field.isEmpty() ? refusal : refusal.with("WWW-Authenticate", field));
    }

    /** Visible ASCII and blanks: no character can end the field. */
    private static boolean isFieldValue(String text) {
        return !text.isBlank() && text.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
    }

    /**
     * The rejection with the challenges.
     *
     * @return 401
     */
    public Answer answer() {
        return answer;
    }

    /**
     * Writes {@link #answer}.
     *
     * @param response without sent data
     * @throws IOException if the client has disconnected
     */
    public void writeTo(HttpServletResponse response) throws IOException {
        ServletAnswers.write(answer, response);
    }
}
