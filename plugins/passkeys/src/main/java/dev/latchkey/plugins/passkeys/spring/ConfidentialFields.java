package dev.latchkey.plugins.passkeys.spring;

import java.util.LinkedHashMap;
import java.util.Map;

/** The members of a JSON object that may hold secrets. At DEBUG Spring prints the bodies that it reads and writes: of this one nothing is to be seen. */
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
