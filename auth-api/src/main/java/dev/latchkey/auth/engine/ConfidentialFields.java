package dev.latchkey.auth.engine;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The members of a JSON object with possible secrets. At DEBUG, Spring prints bodies; this class prints no content.
 *
 * @param <V> the type of the values
 */
public final class ConfidentialFields<V> extends LinkedHashMap<String, V> {

    /** Without members. */
    public ConfidentialFields() {}

    /**
     * With these members.
     *
     * @param fields copied
     */
    public ConfidentialFields(Map<String, V> fields) {
        super(fields);
    }

    @Override
    public String toString() {
        return "(not printed)";
    }
}
