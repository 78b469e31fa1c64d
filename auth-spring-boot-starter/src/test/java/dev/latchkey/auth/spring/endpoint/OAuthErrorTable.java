package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.ServletAnswers;
import java.io.IOException;
import java.util.Map;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.mock.web.MockHttpServletResponse;

/** The errors of the token endpoint as a Markdown table. */
public final class OAuthErrorTable {

    private OAuthErrorTable() {}

    public static String rows() throws IOException {
        StringBuilder table = new StringBuilder("| status | `error` | `error_description` |\n| --- | --- | --- |\n");
        for (TokenRefusal refusal : TokenRefusal.values()) {
            table.append(row(refusal.asError()));
        }
        return table.append("| 400 | `mfa_required` | Another step is wanted. |\n")
                .toString();
    }

    private static String row(Answer answer) throws IOException {
        MockHttpServletResponse written = new MockHttpServletResponse();
        ServletAnswers.write(answer, written);
        Map<String, Object> body = JsonParserFactory.getJsonParser().parseMap(written.getContentAsString());
        return "| " + written.getStatus() + " | `" + body.get("error") + "` | " + body.get("error_description")
                + " |\n";
    }
}
