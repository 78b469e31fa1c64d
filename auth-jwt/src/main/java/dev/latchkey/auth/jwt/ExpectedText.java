package dev.latchkey.auth.jwt;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A text to look for in JSON, also as the bytes that JSON has for it unless it writes escapes. */
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

    /** Whether the inside of the JSON string between these places means exactly this. */
    boolean isAt(byte[] json, int start, int end) {
        if (plain && Arrays.equals(json, start, end, utf8, 0, utf8.length)) {
            return true;
        }
        return JsonText.isEscaped(json, start, end)
                && JsonText.textOf(json, start, end).equals(text);
    }
}
