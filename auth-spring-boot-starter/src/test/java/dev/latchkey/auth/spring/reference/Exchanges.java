package dev.latchkey.auth.spring.reference;

import java.util.List;
import java.util.stream.Collectors;

/** A section of {@code endpoints.txt} as a reader of HTTP knows it. */
final class Exchanges {

    private static final String SEPARATOR = " \\| ";

    private Exchanges() {}

    static String of(String section, String transcript) {
        int begin = transcript.indexOf("= " + section + "\n");
        if (begin < 0) {
            throw new AssertionError("endpoints.txt has no section " + section);
        }
        int end = transcript.indexOf("\n= ", begin);
        List<String> lines = transcript
                .substring(begin, end < 0 ? transcript.length() : end)
                .lines()
                .skip(1)
                .toList();
        return lines.stream()
                .map(Exchanges::shown)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining());
    }

    /** Events and meters of the exchange are not part of it. */
    private static String shown(String line) {
        if (line.startsWith("latchkey.")) {
            return "# " + line + "\n";
        } else if (line.startsWith("> ")) {
            return "\n" + message(line.substring(2));
        } else if (line.startsWith("< ")) {
            return "< " + message(line.substring(2).replaceFirst("^problem (\\d+)", "$1 with a problem"));
        } else if (line.startsWith("<~ ")) {
            return "< " + line.substring(3) + "\n";
        }
        return "";
    }

    private static String message(String line) {
        String[] parts = line.split(SEPARATOR, -1);
        StringBuilder message = new StringBuilder(parts[0]).append('\n');
        for (int i = 1; i < parts.length; i++) {
            if (!parts[i].startsWith("Cache-Control: ")) {
                message.append("    ")
                        .append(parts[i].replaceFirst("^body=", "")
                                .replaceFirst("^fill=(\\d+)$", "and the letter a up to $1 bytes"))
                        .append('\n');
            }
        }
        return message.toString();
    }
}
