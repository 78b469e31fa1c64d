package dev.latchkey.plugins.apikeys.spring;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The members of a JSON object with possible secrets. At DEBUG, Spring prints request and response bodies; this class
 * prints no content.
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
