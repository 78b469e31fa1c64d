package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.json.JsonMembers;
import dev.latchkey.plugins.apikeys.KeyRequest;
import dev.latchkey.plugins.apikeys.KeyRotation;
import dev.latchkey.plugins.apikeys.OwnApiKeys.OwnerProof;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The body of a request, a JSON object. A forbidden value is an {@link IllegalArgumentException}. Its message names the
 * rule, without the value.
 */
final class KeyBody {

    private static final int DEFAULT_OVERLAP_HOURS = 24;

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,9}");

    /** The members for the key and the password. */
    private static final Set<String> OWN_MEMBERS =
            Set.of("name", "scopes", "expires_in_days", "overlap_hours", "username", "password");

    private final JsonMembers members;
    private final long mostDays;

    KeyBody(JsonMembers members, long mostDays) {
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
        members.texts().forEach((name, text) -> {
            if (!OWN_MEMBERS.contains(name)) {
                responses.put(name, Secret.of(text));
            }
        });
        return responses;
    }

    private Duration lifetime() {
        return Duration.ofDays(number("expires_in_days", mostDays, 1, mostDays));
    }

    private Set<String> scopes() {
        if (isAbsent("scopes")) {
            return Set.of();
        }
        return members.list("scopes")
                .<Set<String>>map(LinkedHashSet::new)
                .orElseThrow(() -> new IllegalArgumentException("scopes must be a list of texts"));
    }

    private String text(String name, String otherwise) {
        if (isAbsent(name)) {
            return otherwise;
        }
        String text = members.texts().get(name);
        if (text == null) {
            throw new IllegalArgumentException(name + " must be a text");
        }
        return text;
    }

    private long number(String name, long otherwise, long least, long most) {
        if (isAbsent(name)) {
            return otherwise;
        }
        String digits = members.others().getOrDefault(name, "");
        long number = NUMBER.matcher(digits).matches() ? Long.parseLong(digits) : Long.MIN_VALUE;
        if (number < least || number > most) {
            throw new IllegalArgumentException(name + " must be a whole number from " + least + " to " + most);
        }
        return number;
    }

    /** A null counts as absent. */
    private boolean isAbsent(String name) {
        return !members.texts().containsKey(name)
                && members.others().getOrDefault(name, "null").equals("null");
    }
}
