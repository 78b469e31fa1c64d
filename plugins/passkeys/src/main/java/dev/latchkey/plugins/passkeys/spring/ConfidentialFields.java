package dev.latchkey.plugins.passkeys.spring;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The members of a JSON object with possible secrets. At DEBUG, Spring logs request and response bodies; {@code toString} hides
 * this object.
 */
final class ConfidentialFields<V> extends LinkedHashMap<String, V> {

    ConfidentialFields() {}

    ConfidentialFields(Map<String, V> fields) {
        super(fields);
    }

    @Override
    public String toString() {
        return "(not printed)";
    }
}
