package dev.latchkey.auth.engine;

import java.util.List;

/**
 * The header fields of a request, and nothing else. The URL is missing on purpose: a token in a URL ends up in logs and
 * caches (RFC 6750 section 5.3).
 */
@FunctionalInterface
public interface HeaderFields {

    /**
     * The values of the field with this name, in the order received.
     *
     * @param name of the field, in any case
     * @return each line of the field as a separate value, not split at commas; empty if the request has no such field
     */
    List<String> values(String name);
}
