package dev.latchkey.auth.spring.metrics;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Codes of plugins as tag values. A plugin's first codes are values; later codes share one value. Without the bound, a plugin
 * with a new code for each request would fill the memory of each registry. Thread-safe.
 */
final class BoundedCodes {

    /** More than any plugin of this project has. */
    static final int MOST = 50;

    static final String OTHER = "other";

    private final Map<String, Set<String>> codes = new ConcurrentHashMap<>();

    /** The code, or {@link #OTHER} for a further code of a plugin with {@link #MOST} codes. */
    String bounded(String plugin, String code) {
        Set<String> known = codes.computeIfAbsent(plugin, name -> ConcurrentHashMap.newKeySet());
        if (known.contains(code)) {
            return code;
        }
        synchronized (known) {
            return known.contains(code) || (known.size() < MOST && known.add(code)) ? code : OTHER;
        }
    }
}
