package dev.latchkey.auth;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A request for a token by an extension grant (RFC 6749 section 4.5), that is by other means than a name and a password: the grant type and the fields
 * of the request. Prints no field.
 */
public final class LoginGrant {

    private final String type;
    private final Map<String, Secret> fields;

    private LoginGrant(String type, Map<String, Secret> fields) {
        this.type = type;
        this.fields = fields;
    }

    /**
     * A grant of this type with these fields.
     *
     * @param type the value of {@code grant_type}, as it was sent
     * @param fields the other fields of the form, by name; copied
     * @return a grant of which nothing is checked
     */
    public static LoginGrant of(String type, Map<String, Secret> fields) {
        return new LoginGrant(Objects.requireNonNull(type, "type"), Map.copyOf(fields));
    }

    /**
     * The value of {@code grant_type}, as it was sent.
     *
     * @return any text, since anybody may send one
     */
    public String type() {
        return type;
    }

    /**
     * The field of this name; empty where it was not sent.
     *
     * @param name as it stood in the form; case matters
     * @return the value as it was sent, which may be empty
     */
    public Optional<Secret> field(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    @Override
    public String toString() {
        return "LoginGrant[****]";
    }
}
