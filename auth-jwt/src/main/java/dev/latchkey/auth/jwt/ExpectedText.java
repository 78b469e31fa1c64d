package dev.latchkey.auth.jwt;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A text to find in JSON, with its UTF-8 bytes for JSON without escapes. */
final class ExpectedText {

    private final String text;
    private final byte[] utf8;
    private final boolean plain;

    ExpectedText(String text) {
        JsonText.requireWellFormed(text, "An expected value");
        this.text = text;
        this.utf8 = text.getBytes(StandardCharsets.UTF_8);
        this.plain = text.indexOf('\\') < 0;
    }

    String text() {
        return text;
    }

    /** Whether the JSON string's content between these places equals the text. */
    boolean isAt(byte[] json, int start, int end) {
        if (plain && Arrays.equals(json, start, end, utf8, 0, utf8.length)) {
            return true;
        }
        return JsonText.isEscaped(json, start, end)
                && JsonText.textOf(json, start, end).equals(text);
    }
}
