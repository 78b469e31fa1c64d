package dev.latchkey.auth;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A request for a token by an extension grant (RFC 6749 section 4.5), not by a name and a password: the grant type and
 * the fields of the request. Prints no field.
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
     * @param type the unchanged value of {@code grant_type}
     * @param fields the other fields of the form, by name; copied
     * @return an unchecked grant
     */
    public static LoginGrant of(String type, Map<String, Secret> fields) {
        return new LoginGrant(Objects.requireNonNull(type, "type"), Map.copyOf(fields));
    }

    /**
     * The unchanged value of {@code grant_type}.
     *
     * @return any text, because any caller may send a grant
     */
    public String type() {
        return type;
    }

    /**
     * The field with this name; empty if the caller did not send the field.
     *
     * @param name as in the form, case-sensitive
     * @return the unchanged value, possibly empty
     */
    public Optional<Secret> field(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    @Override
    public String toString() {
        return "LoginGrant[****]";
    }
}
