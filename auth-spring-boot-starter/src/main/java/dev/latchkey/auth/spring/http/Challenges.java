package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.BearerToken;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a request may authenticate that presented nothing good: {@code Bearer} where a plugin takes such tokens, and what plugins say of
 * their own credentials ({@link AuthPlugin#challenge}), in one {@code WWW-Authenticate} field (RFC 9110 section 11.6.1). None where no
 * plugin says anything. HTTP Basic is Spring Security's to ask for. Immutable.
 */
public final class Challenges {

    private final Answer answer;

    private Challenges(Answer answer) {
        this.answer = answer;
    }

    /** Of the plugins that are asked. */
    public static Challenges of(AuthChain plugins) {
        Stream<String> bearer = plugins.plugins().stream()
                .filter(plugin -> plugin.supports(BearerToken.class))
                .limit(1)
                .map(any -> BearerChallenge.PLAIN.field());
        Stream<String> own = plugins.plugins().stream()
                .flatMap(plugin -> plugin.challenge().stream())
                .filter(Challenges::isFieldValue)
                .distinct();
        String field = Stream.concat(bearer, own).collect(Collectors.joining(", "));
        Answer refusal = Answer.of(Problem.UNAUTHORIZED);
        return new Challenges(field.isEmpty() ? refusal : refusal.with("WWW-Authenticate", field));
    }

    /** Visible ASCII and blanks: nothing that could end the field. */
    private static boolean isFieldValue(String text) {
        return !text.isBlank() && text.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
    }

    /** 401 with these. */
    public Answer answer() {
        return answer;
    }

    public void writeTo(HttpServletResponse response) throws IOException {
        ServletAnswers.write(answer, response);
    }
}
