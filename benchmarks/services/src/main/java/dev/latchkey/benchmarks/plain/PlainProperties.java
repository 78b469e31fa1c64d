package dev.latchkey.benchmarks.plain;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of this service.
 *
 * @param hashing the storage format of passwords
 * @param accounts the stored hash for each name
 */
@ConfigurationProperties("plain")
record PlainProperties(
        @DefaultValue("BCRYPT") Hashing hashing,
        @DefaultValue Map<String, String> accounts) {

    PlainProperties {
        accounts = Map.copyOf(accounts);
    }

    /** How passwords are stored. */
    enum Hashing {
        BCRYPT,
        /** BCrypt behind {@link LeastCache}. For measurements only. */
        LEAST_CACHE,
        /** Unhashed, to show the savings of a service without any hash. For measurements only. */
        NONE
    }
}
