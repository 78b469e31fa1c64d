package dev.latchkey.examples.directory;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Subject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer as JSON, read strictly: {@code {"result": "accepted", "subject": …, "authorities": […]}}, {@code {"result":
 * "refused"}} or {@code {"result": "unknown"}}. Any other content with status 200 is no answer: the page of a proxy, an answer
 * of another version, a truncated answer.
 */
record DirectoryAnswer(
        @Nullable Result result,
        @Nullable String subject,
        @Nullable List<String> authorities) {

    enum Result {
        @JsonProperty("accepted")
        ACCEPTED,
        @JsonProperty("refused")
        REFUSED,
        @JsonProperty("unknown")
        UNKNOWN
    }

    static final int MAX_BYTES = 1 << 16;

    static final BodyHandler<byte[]> BODY = head -> new BoundedBody(MAX_BYTES);

    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(
                    DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(
                    LogicalType.Textual,
                    text -> text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
            .build();

    /**
     * @throws IOException if the status is not 200, or the content is no answer of the directory. The message of the parser is
     *     left out, because the parser may repeat the content
     */
    static Decision of(HttpResponse<byte[]> response) throws IOException {
        if (response.statusCode() != 200) {
            throw new IOException("The directory answered with the status " + response.statusCode());
        }
        try {
            return decisionOf(STRICT.readValue(response.body(), DirectoryAnswer.class));
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException("The directory's answer is not in its form");
        }
    }

    /** An unknown name is rejected, like a wrong password. No later plugin is asked, so this plugin is the last source. */
    private static Decision decisionOf(@Nullable DirectoryAnswer answer) throws IOException {
        if (answer != null && answer.result == Result.REFUSED) {
            return Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
        if (answer != null && answer.result == Result.UNKNOWN) {
            return Rejected.because(RejectionReason.UNKNOWN_ACCOUNT);
        }
        if (answer == null
                || answer.result == null
                || answer.subject == null
                || answer.authorities == null
                || answer.authorities.contains(null)) {
            throw new IOException("Neither refused nor accepted as somebody");
        }
        return Authenticated.as(Subject.of(answer.subject).withAuthorities(answer.authorities));
    }
}
