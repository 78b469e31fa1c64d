package dev.latchkey.auth.contract;

import dev.latchkey.auth.Credentials;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Inputs of an attacker in place of a password, a token or a header field. */
final class Hostile {

    static final String LONE_SURROGATE = "user\uD800name";

    private static final int ONE_MEGABYTE = 1 << 20;

    /** Well-formed UTF-16, as a {@code Secret} requires; no text is a valid credential. */
    static final List<String> TEXTS = List.of(
            "",
            " ",
            "\0",
            "\r\nX-Injected: 1",
            "\u001b[2J\u0007",
            "a\u0000b",
            // The shapes of tokens: none, unsigned, too few and too many parts, another serialisation.
            ".",
            "..",
            "...",
            "a.b.c",
            "....................",
            "eyJhbGciOiJub25lIn0.e30.",
            "eyJhbGciOiJIUzI1NiJ9.e30.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "eyJhbGciOiJIUzI1NiJ9.e30.====",
            "{\"payload\":\"e30\",\"signatures\":[]}",
            "[".repeat(10_000),
            // The languages behind a login: SQL, LDAP, paths, templates, stored hashes.
            "' OR '1'='1",
            "*)(uid=*))(|(uid=*",
            "../../../../etc/passwd",
            "${jndi:ldap://example.invalid/a}",
            "{noop}",
            "{bcrypt}$2a$31$" + "a".repeat(53),
            // Longer, wider or invisible text: byte-order mark, bidirectional override, astral, decomposed.
            "\uFEFFadmin",
            "\u202Enimda",
            "\uD83D\uDD11".repeat(100),
            "e\u0301".repeat(100),
            "\uFFFF",
            "a".repeat(73),
            "a".repeat(ONE_MEGABYTE),
            "\u4E2D".repeat(ONE_MEGABYTE / 3));

    private Hostile() {}

    /** Single values, several values, and the known schemes with nothing or nonsense behind them. */
    static List<List<String>> headerValues() {
        List<List<String>> all = new ArrayList<>();
        for (String text : TEXTS) {
            all.add(List.of(text));
            all.add(List.of("Basic " + text));
            all.add(List.of("Bearer " + text));
        }
        all.add(List.of(LONE_SURROGATE));
        all.add(List.of("Basic"));
        all.add(List.of("Basic Og==", "Bearer a.b.c"));
        all.add(List.of("", ""));
        all.add(TEXTS);
        return all;
    }

    /** Empty where the kind of credentials refuses such content itself, which is a fine place to do so. */
    static Optional<Credentials> unlessRefused(Callable<Optional<Credentials>> credentials) throws Exception {
        try {
            return credentials.call();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Short and printable, for a failure's message. */
    static String shown(Object hostile) {
        String text = String.valueOf(hostile);
        return text.substring(0, Math.min(text.length(), 100)).replaceAll("\\P{Print}", "?") + " (" + text.length()
                + " characters)";
    }
}
