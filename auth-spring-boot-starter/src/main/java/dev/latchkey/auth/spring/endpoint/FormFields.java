package dev.latchkey.auth.spring.endpoint;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The fields of {@code application/x-www-form-urlencoded}, read strictly.
 *
 * <p>The container's parser also adds parameters of the URL, and URLs appear in logs. Containers also differ in the choice
 * between two fields of the same name. This parser rejects a repeated name, a broken escape and invalid UTF-8.
 */
final class FormFields {

    private FormFields() {}

    /**
     * @throws IllegalArgumentException if a field comes twice or an escape is broken
     * @throws CharacterCodingException if a value is not UTF-8
     */
    static Map<String, String> parse(String form) throws CharacterCodingException {
        Map<String, String> fields = new HashMap<>();
        for (String pair : form.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (pair.isEmpty()) {
                continue;
            }
            String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
            if (fields.put(name, value) != null) {
                throw new IllegalArgumentException("A field comes twice");
            }
        }
        return fields;
    }

    /** A part of a form without its escapes. */
    static String decoded(String text) throws CharacterCodingException {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length);
        for (int i = 0; i < encoded.length; i++) {
            if (encoded[i] == '%') {
                bytes.write(hexDigit(encoded, i + 1) << 4 | hexDigit(encoded, i + 2));
                i += 2;
            } else {
                bytes.write(encoded[i] == '+' ? ' ' : encoded[i]);
            }
        }
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes.toByteArray()))
                .toString();
    }

    private static int hexDigit(byte[] encoded, int at) {
        int digit = at < encoded.length ? Character.digit(encoded[at], 16) : -1;
        if (digit < 0) {
            throw new IllegalArgumentException("An escape is broken");
        }
        return digit;
    }
}
