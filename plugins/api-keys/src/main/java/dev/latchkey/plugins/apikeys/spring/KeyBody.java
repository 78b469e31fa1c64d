package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.apikeys.KeyRequest;
import dev.latchkey.plugins.apikeys.KeyRotation;
import dev.latchkey.plugins.apikeys.OwnApiKeys.OwnerProof;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The body of a request, a JSON object. A forbidden value is an {@link IllegalArgumentException}. Its message names the
 * rule, without the value.
 */
final class KeyBody {

    private static final int DEFAULT_OVERLAP_HOURS = 24;

    /** The members for the key and the password. */
    private static final Set<String> OWN_MEMBERS =
            Set.of("name", "scopes", "expires_in_days", "overlap_hours", "username", "password");

    private final Map<String, Object> members;
    private final long mostDays;

    KeyBody(Map<String, Object> members, long mostDays) {
        this.members = members;
        this.mostDays = mostDays;
    }

    String name() {
        return text("name", "");
    }

    KeyRequest request() {
        return new KeyRequest(name(), scopes(), lifetime());
    }

    KeyRotation rotation() {
        return new KeyRotation(
                Duration.ofHours(number("overlap_hours", DEFAULT_OVERLAP_HOURS, 0, 24 * 30)), lifetime());
    }

    /** The login name may differ from the account's id. */
    OwnerProof proofOf(String account) {
        return new OwnerProof(
                new PasswordCredentials(text("username", account), Secret.of(text("password", ""))), responses());
    }

    /** The responses for the steps of plugins: the further texts, by their names. */
    private Map<String, Secret> responses() {
        Map<String, Secret> responses = new HashMap<>(Map.of("code", Secret.of(text("code", ""))));
        for (Map.Entry<String, Object> member : members.entrySet()) {
            if (!OWN_MEMBERS.contains(member.getKey()) && member.getValue() instanceof String text) {
                responses.put(member.getKey(), Secret.of(text));
            }
        }
        return responses;
    }

    private Duration lifetime() {
        return Duration.ofDays(number("expires_in_days", mostDays, 1, mostDays));
    }

    private Set<String> scopes() {
        Object value = members.get("scopes");
        if (value == null) {
            return Set.of();
        }
        Set<String> scopes = new LinkedHashSet<>();
        if (value instanceof Collection<?> given) {
            given.forEach(scope -> scopes.add(scope instanceof String text ? text : ""));
            return scopes;
        }
        throw new IllegalArgumentException("scopes must be a list of texts");
    }

    private String text(String name, String otherwise) {
        Object value = Objects.requireNonNullElse(members.get(name), otherwise);
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(name + " must be a text");
    }

    private long number(String name, long otherwise, long least, long most) {
        Object value = Objects.requireNonNullElse(members.get(name), otherwise);
        if ((value instanceof Integer || value instanceof Long)
                && ((Number) value).longValue() >= least
                && ((Number) value).longValue() <= most) {
            return ((Number) value).longValue();
        }
        throw new IllegalArgumentException(name + " must be a whole number from " + least + " to " + most);
    }
}
