package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.engine.AuthChain;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells a caller who presented nothing good how to authenticate, in one {@code WWW-Authenticate} field (RFC 9110 section 11.6.1): {@code Bearer}
 * where a plugin takes such tokens, and what plugins say of their own credentials ({@link CredentialsReader#challenge}). Where no plugin says anything there
 * is no such field. To ask for HTTP Basic is Spring Security's business. Immutable.
 */
public final class Challenges {

    private final Answer answer;

    private Challenges(Answer answer) {
        this.answer = answer;
    }

    /**
     * The challenges of a chain of plugins.
     *
     * @param plugins asked here, once; what one says that cannot stand in a header field is left out
     * @return the same for each request
     */
    public static Challenges of(AuthChain plugins) {
        Stream<String> bearer =
                plugins.decidesAbout(BearerToken.class) ? Stream.of(BearerChallenge.PLAIN.field()) : Stream.empty();
        Stream<String> own =
                plugins.challenges().stream().filter(Challenges::isFieldValue).distinct();
        String field = Stream.concat(bearer, own).collect(Collectors.joining(", "));
        Answer refusal = Answer.of(Problem.UNAUTHORIZED);
        return new Challenges(field.isEmpty() ? refusal : refusal.with("WWW-Authenticate", field));
    }

    /** Visible ASCII and blanks: nothing that could end the field. */
    private static boolean isFieldValue(String text) {
        return !text.isBlank() && text.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
    }

    /**
     * The refusal with the challenges.
     *
     * @return 401
     */
    public Answer answer() {
        return answer;
    }

    /**
     * Writes {@link #answer}.
     *
     * @param response of which nothing has been sent
     * @throws IOException if the client is not there any more
     */
    public void writeTo(HttpServletResponse response) throws IOException {
        ServletAnswers.write(answer, response);
    }
}
