package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.jwt.JwtDefect;
import dev.latchkey.auth.spring.endpoint.OAuthErrorTable;
import dev.latchkey.auth.spring.http.Problem;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.mock.web.MockHttpServletResponse;

/** {@code docs/reference/problems.md} is made of the problems, reasons and defects that are in the code. */
class ProblemsReferenceTest {

    private static final String HEAD = """
            # Problems and reasons

            A refusal has a body of RFC 9457, `application/problem+json`.
            The text is the same for the same status, so that nothing about accounts, plugins or keys shows.
            Events, meters and the audit have the reason. `ProblemsReferenceTest` writes this page.

            ## Problems

            | status | `type` | `detail` |
            | --- | --- | --- |
            """;

    @Test
    void problemsAndReasons_areThoseOfTheCode() throws IOException {
        StringBuilder page = new StringBuilder(HEAD);
        for (Problem problem : Problem.values()) {
            page.append(row(problem));
        }
        page.append("""

                The problem `tag:latchkey.dev,2026:next-step` also has `method`, `continuation`, `expires_in` and, for some steps, `parameters`. 429 and 503 have `Retry-After` in seconds, 429 of login limits `RateLimit` too.

                ## Errors of OAuth

                The endpoints of OAuth answer errors of RFC 6749 section 5.2: a JSON object with `error` and `error_description`.
                The token endpoint answers these errors to requests with a `grant_type`, and problems to all other requests.
                429 and 503 are `temporarily_unavailable`, with the same header fields as the problems. 500 is `server_error`.

                """);
        page.append(OAuthErrorTable.rows());
        page.append("""

                A client that gets `mfa_required` sends the `continuation` of this answer and the response to the step, with the same `grant_type`.
                The answer also has `method`, `expires_in` and, for some steps, `parameters`.

                ## Why a login was refused

                The tag `reason` of the meter `latchkey.logins`, and `RejectionReason` in code.

                """);
        page.append(codes(DocumentedCodes.of(RejectionReason.class, "auth-api")));
        page.append("""

                ## Why no decision was reached

                The same tag, with the outcome `unavailable`; `AuthUnavailableException.Kind` in code.

                """);
        page.append(codes(DocumentedCodes.of(AuthUnavailableException.Kind.class, "auth-api")));
        page.append("""

                ## Why a token was refused

                The tag `defect` of the meter `latchkey.tokens`, and `JwtDefect` in code. They stand in the order in which a token is checked; the first one is reported.

                In a resource server the message of the decoder's exception ends with the code: `The token was not accepted: expired`. Spring Security sends this message
                to the caller, as `error_description`. Three more codes are possible there: `revoked`, `bad_credentials` for a refusal by a validator of the service, and `malformed`
                for a token that ends before it was issued. Latchkey's own filters tell the caller no code.

                """);
        page.append(codes(DocumentedCodes.of(JwtDefect.class, "auth-jwt")));
        ReferencePage.isMadeOf("problems.md", page.toString());
    }

    @Test
    void comments_areReadFromTheSource() throws IOException {
        assertThat(DocumentedCodes.of(JwtDefect.class, "auth-jwt"))
                .containsEntry("no_expiry", "The claim `exp` is missing.")
                .hasSize(JwtDefect.values().length);
    }

    private static String row(Problem problem) throws IOException {
        MockHttpServletResponse answer = new MockHttpServletResponse();
        problem.writeTo(answer);
        Map<String, Object> body = JsonParserFactory.getJsonParser().parseMap(answer.getContentAsString());
        return "| " + answer.getStatus() + " " + body.get("title") + " | `" + body.get("type") + "` | "
                + body.get("detail") + " |\n";
    }

    private static String codes(Map<String, String> codes) {
        StringBuilder table = new StringBuilder("| code | meaning |\n| --- | --- |\n");
        codes.forEach((code, meaning) ->
                table.append("| `").append(code).append("` | ").append(meaning).append(" |\n"));
        return table.toString();
    }
}
