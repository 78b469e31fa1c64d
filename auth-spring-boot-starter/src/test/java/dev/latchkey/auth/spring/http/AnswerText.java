package dev.latchkey.auth.spring.http;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a client reads of an {@link Answer}, for tests of other packages. */
public final class AnswerText {

    private AnswerText() {}

    public static EndpointPlay.Reply of(Answer answer) {
        Map<String, List<String>> headers = new HashMap<>();
        answer.headers().forEach((name, value) -> headers.put(name, List.of(value)));
        if (!answer.cookies().isEmpty()) {
            headers.put("Set-Cookie", answer.cookies());
        }
        return new EndpointPlay.Reply(answer.status(), headers, new String(answer.body(), StandardCharsets.UTF_8));
    }
}
