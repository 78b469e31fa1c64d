package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.engine.HeaderFields;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the body of a form whose fields were read by an earlier filter, such as Spring's
 * {@code HiddenHttpMethodFilter}. The server then provides only the fields, and no body.
 */
public final class ReadForm {

    private static final String MEDIA_TYPE = "application/x-www-form-urlencoded";

    private ReadForm() {}

    /**
     * Whether the fields of a form can replace an empty body.
     *
     * @param headers of the request
     * @return true for a form
     */
    public static boolean isForm(HeaderFields headers) {
        List<String> types = headers.values("Content-Type");
        return types.size() == 1 && types.get(0).regionMatches(true, 0, MEDIA_TYPE, 0, MEDIA_TYPE.length());
    }

    /**
     * The body with these fields, in UTF-8.
     *
     * @param fields the fields, decoded by the server
     * @return the encoded form; empty without fields
     */
    public static byte[] bodyOf(Map<String, ? extends List<@Nullable String>> fields) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        fields.forEach((name, values) -> values.forEach(value -> {
            String field = encoded(name) + (value == null ? "" : "=" + encoded(value));
            body.writeBytes((body.size() == 0 ? field : "&" + field).getBytes(StandardCharsets.US_ASCII));
        }));
        return body.toByteArray();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
