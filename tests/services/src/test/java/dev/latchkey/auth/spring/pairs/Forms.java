package dev.latchkey.auth.spring.pairs;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Forms of plain names and values. */
final class Forms {

    private Forms() {}

    /** @param fields names and values in turn */
    static String of(String... fields) {
        StringBuilder form = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            form.append(i == 0 ? "" : "&")
                    .append(fields[i])
                    .append('=')
                    .append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        return form.toString();
    }
}
