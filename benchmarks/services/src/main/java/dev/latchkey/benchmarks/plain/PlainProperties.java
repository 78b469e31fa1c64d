package dev.latchkey.benchmarks.plain;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of this service.
 *
 * @param hashing how passwords are stored
 * @param accounts what is stored for each name
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
        /** As they are: what a service would save by hashing nothing. For measurements only. */
        NONE
    }
}
