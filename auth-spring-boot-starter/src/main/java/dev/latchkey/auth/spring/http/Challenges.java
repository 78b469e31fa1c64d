package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.engine.AuthChain;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells a client without valid credentials how to authenticate, in one {@code WWW-Authenticate} field (RFC 9110 section 11.6.1):
 * {@code Bearer} if a plugin takes such tokens, and the plugins' own challenges ({@link CredentialsReader#challenge}). Without
 * challenges there is no field. Spring Security asks for HTTP Basic itself; {@link #besideBasic} adds the other schemes. Immutable.
 */
public final class Challenges {

    /** The scheme that Spring Security names. */
    private static final String BASIC = "Basic";

    private final String field;
    private final Answer answer;

    private Challenges(String field, Answer answer) {
        this.field = field;
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
        return new Challenges(field, field.isEmpty() ? refusal : refusal.with("WWW-Authenticate", field));
    }

    /** Visible ASCII and blanks: no character can end the field. */
    private static boolean isFieldValue(String text) {
        return !text.isBlank() && text.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
    }

    /**
     * The second {@code WWW-Authenticate} field of a response that asks for HTTP Basic: the client may use each of these schemes
     * (RFC 9110 section 11.6.1). A response to an invalid token names {@code Bearer} alone. With HTTP Basic there too, browsers would show a password
     * dialog when a token expires.
     *
     * @param named the field so far; null without a field
     * @return empty if the response does not ask for HTTP Basic, or the plugins have no challenge
     */
    public Optional<String> besideBasic(@Nullable String named) {
        return named == null || field.isEmpty() || !named.regionMatches(true, 0, BASIC, 0, BASIC.length())
                ? Optional.empty()
                : Optional.of(field);
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
