package dev.latchkey.auth;

import java.util.List;

/**
 * The header fields of a request, and nothing else of it. The URL is left out on purpose: a token in a URL ends up in logs and caches (RFC 6750 section
 * 5.3).
 */
@FunctionalInterface
public interface HeaderFields {

    /**
     * The values of the field of this name, whatever its case, in the order received; empty where there is none.
     *
     * @param name of the field, in any case
     * @return each line of the field as one value, not split at commas
     */
    List<String> values(String name);
}
