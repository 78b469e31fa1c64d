package dev.latchkey.auth.redis;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.StoredLogin;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A session as the hash at its key: a field for each present part, times in milliseconds since 1970. */
final class LoginFields {

    static final String OWNER = "owner";
    static final String EXPIRES = "expires-at";

    /**
     * The names of the nodes that may already have sent the current token to a client; empty if all writers have
     * reported that they did not.
     */
    static final String SENT_BY = "sent-by";

    private static final int MOST_BYTES = 65_535;

    private LoginFields() {}

    static IdDigest digestOf(String id) {
        return IdDigest.of("login", id);
    }

    static IdDigest ownerDigestOf(String subjectId) {
        return IdDigest.of("owner", subjectId);
    }

    /**
     * Adds the names and values of the session's fields, in pairs.
     *
     * @throws IllegalArgumentException if a text is malformed or too long
     */
    static void addTo(List<String> arguments, StoredLogin login) {
        add(arguments, "login", login.id());
        add(arguments, OWNER, RevocationText.hex(ownerDigestOf(login.subjectId())));
        add(arguments, "plugin", login.plugin());
        add(arguments, "subject", login.subjectId());
        add(arguments, "token-hash", login.tokenHash());
        add(arguments, "stamp", login.stamp());
        add(arguments, "methods", String.join(" ", new TreeSet<>(login.methods())));
        add(arguments, "started-at", millis(login.startedAt()));
        add(arguments, "ends-at", millis(login.endsAt()));
        add(arguments, EXPIRES, millis(login.expiresAt()));
        StoredLogin.Replaced replaced = login.replaced();
        if (replaced != null) {
            add(arguments, "replaced-hash", replaced.tokenHash());
            add(arguments, "replaced-seed", replaced.seed());
            add(arguments, "replaced-at", millis(replaced.at()));
        }
        add(arguments, "device", login.device().name());
        add(arguments, "address", login.device().address());
    }

    /** The session in the fields. A replacement that no client knows counts as done now. */
    static StoredLogin parse(Map<Object, Object> fields, Instant now) {
        try {
            return new StoredLogin(
                    text(fields, "login"),
                    text(fields, "plugin"),
                    text(fields, "subject"),
                    text(fields, "token-hash"),
                    text(fields, "stamp"),
                    methods(text(fields, "methods")),
                    time(fields, "started-at"),
                    time(fields, "ends-at"),
                    time(fields, EXPIRES),
                    replaced(fields, now),
                    new StoredLogin.Device((String) fields.get("device"), (String) fields.get("address")));
        } catch (IllegalArgumentException e) {
            throw AuthUnavailableException.outage("Redis has something else than a login under a login's key");
        }
    }

    /** Strict, because the returned text must equal the stored text. */
    static String requireText(String text) {
        try {
            int bytes = StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(text))
                    .remaining();
            if (bytes > MOST_BYTES) {
                throw new IllegalArgumentException(
                        "A text of a login has at most " + MOST_BYTES + " bytes, and this one has " + bytes);
            }
            return text;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "A login must consist of text, and this one has one half of a surrogate pair");
        }
    }

    private static void add(List<String> arguments, String name, @Nullable String value) {
        if (value != null) {
            arguments.add(name);
            arguments.add(requireText(value));
        }
    }

    private static StoredLogin.@Nullable Replaced replaced(Map<Object, Object> fields, Instant now) {
        if (!fields.containsKey("replaced-hash")) {
            return null;
        }
        Instant at = "".equals(fields.get(SENT_BY)) ? now : time(fields, "replaced-at");
        return new StoredLogin.Replaced(text(fields, "replaced-hash"), text(fields, "replaced-seed"), at);
    }

    /** No method contains a space. */
    private static Set<String> methods(String text) {
        return text.isEmpty() ? Set.of() : Set.of(text.split(" "));
    }

    private static String text(Map<Object, Object> fields, String name) {
        Object value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("A login without " + name);
        }
        return value.toString();
    }

    private static Instant time(Map<Object, Object> fields, String name) {
        return Instant.ofEpochMilli(Long.parseLong(text(fields, name)));
    }

    /** A session without an end ends with the last possible millisecond. */
    private static String millis(Instant time) {
        try {
            return Long.toString(time.toEpochMilli());
        } catch (ArithmeticException e) {
            return Long.toString(time.isAfter(Instant.EPOCH) ? Long.MAX_VALUE : Long.MIN_VALUE);
        }
    }
}
