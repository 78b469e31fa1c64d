package dev.latchkey.auth.redis;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.LoginValues;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A session as the hash at its key: a field for each present part, times in milliseconds since 1970. */
final class LoginFields {

    static final String OWNER = "owner";
    static final String EXPIRES = "expires-at";

    /**
     * A random number for each write whose caller may already have sent the current token to a client. Empty if every
     * caller has reported that it did not send the token.
     */
    static final String SENT_BY = "sent-by";

    private LoginFields() {}

    /**
     * Adds the names and values of the session's fields, in pairs.
     *
     * @throws IllegalArgumentException if a text is malformed or too long
     */
    static void addTo(List<String> arguments, StoredLogin login) {
        add(arguments, "login", login.id());
        add(arguments, OWNER, RevocationText.hex(IdDigest.ofOwner(login.subjectId())));
        add(arguments, "plugin", login.plugin());
        add(arguments, "subject", login.subjectId());
        add(arguments, "token-hash", login.tokenHash());
        add(arguments, "stamp", login.stamp());
        add(arguments, "methods", LoginValues.textOf(login.methods()));
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

    /** The session in the fields. A replacement whose token was sent to no client counts as done now. */
    static StoredLogin parse(Map<Object, Object> fields, Instant now) {
        try {
            return new StoredLogin(
                    text(fields, "login"),
                    text(fields, "plugin"),
                    text(fields, "subject"),
                    text(fields, "token-hash"),
                    text(fields, "stamp"),
                    LoginValues.methods(text(fields, "methods")),
                    time(fields, "started-at"),
                    time(fields, "ends-at"),
                    time(fields, EXPIRES),
                    replaced(fields, now),
                    new StoredLogin.Device((String) fields.get("device"), (String) fields.get("address")));
        } catch (IllegalArgumentException e) {
            throw AuthUnavailableException.outage("Redis has something else than a login under a login's key");
        }
    }

    /** Checks the text only: the driver encodes the text again. */
    static String requireText(String text) {
        LoginValues.utf8(text);
        return text;
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

    private static String millis(Instant time) {
        return Long.toString(LoginValues.millis(time));
    }
}
