package dev.latchkey.auth.guard.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The header field in which proxies write the address of their caller. Immutable. */
public enum ForwardingHeader {
    /** {@code X-Forwarded-For}, a list of addresses separated by commas. Not a standard, but sent by most proxies. */
    X_FORWARDED_FOR("X-Forwarded-For") {
        @Override
        List<String> hopsOf(String list) {
            return List.of(list.split(",", -1));
        }
    },
    /**
     * {@code Forwarded} of RFC 7239: elements separated by commas, with parameters separated by semicolons. The
     * parameter {@code for} names the caller.
     */
    FORWARDED("Forwarded") {
        @Override
        List<String> hopsOf(String list) {
            return elementsOf(list).stream().map(ForwardingHeader::forParameter).toList();
        }
    };

    /** No honest chain of proxies needs a longer value. Of a longer value, only the right end is read. */
    private static final int MAX_LENGTH = 8192;

    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

    private final String fieldName;

    ForwardingHeader(String fieldName) {
        this.fieldName = fieldName;
    }

    /**
     * The name of the field in its usual case; field names ignore case (RFC 9110 section 5.1).
     *
     * @return for instance {@code X-Forwarded-For}
     */
    public String fieldName() {
        return fieldName;
    }

    /** The other of the two fields. */
    ForwardingHeader other() {
        return this == FORWARDED ? X_FORWARDED_FOR : FORWARDED;
    }

    /** The callers in these field values, from the client to the nearest proxy; entries may be invalid addresses. */
    List<String> hops(List<String> values) {
        String list = String.join(",", values);
        if (list.isBlank()) {
            return List.of();
        }
        // The cut may damage the left-most remaining entry. The "!" makes an address invalid, and an invalid entry ends
        // the walk.
        return hopsOf(list.length() <= MAX_LENGTH ? list : "!" + list.substring(list.length() - MAX_LENGTH));
    }

    abstract List<String> hopsOf(String list);

    /** The address of an entry: bare, or with a port, in brackets or quoted (RFC 7239 section 6). */
    static Optional<IpAddress> address(String entry) {
        String node = unquoted(entry.strip());
        if (node.startsWith("[")) {
            int end = node.indexOf(']');
            String rest = end < 0 ? "" : node.substring(end + 1);
            boolean portOrNothing = rest.isEmpty() || (rest.startsWith(":") && isPort(rest.substring(1)));
            // Brackets are for IPv6: no notation has an IPv4 address in brackets.
            boolean v6 = node.indexOf(':') < end && node.indexOf(':') > 0;
            return v6 && portOrNothing ? IpAddress.parse(node.substring(1, end)) : Optional.empty();
        }
        int colon = node.indexOf(':');
        boolean singleColon = colon >= 0 && colon == node.lastIndexOf(':');
        if (singleColon) {
            return isPort(node.substring(colon + 1)) ? IpAddress.parse(node.substring(0, colon)) : Optional.empty();
        }
        return IpAddress.parse(node);
    }

    private static boolean isPort(String text) {
        return PORT.matcher(text).matches();
    }

    private static String forParameter(String element) {
        for (String parameter : parametersOf(element)) {
            String pair = parameter.strip();
            if (pair.regionMatches(true, 0, "for=", 0, 4)) {
                return pair.substring(4);
            }
        }
        return "";
    }

    /**
     * Splits at commas outside quoted strings, from the right end. The proxies wrote the right end, so an open quotation mark of
     * a client damages entries of the client alone.
     */
    private static List<String> elementsOf(String list) {
        Deque<String> elements = new ArrayDeque<>();
        boolean quoted = false;
        int end = list.length();
        for (int i = end - 1; i >= 0; i--) {
            char c = list.charAt(i);
            if (c == '"' && !isEscaped(list, i)) {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                elements.addFirst(list.substring(i + 1, end));
                end = i;
            }
        }
        elements.addFirst(quoted ? "" : list.substring(0, end));
        return List.copyOf(elements);
    }

    private static boolean isEscaped(String text, int position) {
        int start = position;
        while (start > 0 && text.charAt(start - 1) == '\\') {
            start--;
        }
        return (position - start) % 2 == 1;
    }

    /** Splits at semicolons outside quoted strings. An element with an unclosed quotation has no parameters. */
    private static List<String> parametersOf(String text) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && quoted) {
                i++;
            } else if (c == ';' && !quoted) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return quoted ? List.of() : parts;
    }

    private static String unquoted(String text) {
        boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
        return quoted ? text.substring(1, text.length() - 1) : text;
    }
}
