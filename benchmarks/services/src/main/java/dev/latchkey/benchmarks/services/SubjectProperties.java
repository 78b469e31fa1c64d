package dev.latchkey.benchmarks.services;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The role of this process.
 *
 * @param hashes a file with a stored hash in each line; account {@code user-<n>-<p>} has line p and the password {@code
 *     secret-<p>}
 * @param accounts the count of numbers n for each line; ignored with a database
 * @param store the place of the accounts
 * @param hashing the hash of passwords
 * @param tokens the library for tokens
 * @param verifications the number of checks of the token in each request: 2 as in the modelled server, or 1
 */
@ConfigurationProperties("subject")
record SubjectProperties(
        Path hashes,
        @DefaultValue("1000") long accounts,
        @DefaultValue("MEMORY") Store store,
        @DefaultValue("BCRYPT") Hashing hashing,
        @DefaultValue("JJWT") TokenMaker tokens,
        @DefaultValue("2") int verifications) {

    enum Store {
        MEMORY,
        JDBC
    }

    enum Hashing {
        NONE,
        BCRYPT,
        WEAK_PBKDF2
    }

    enum TokenMaker {
        JJWT,
        LATCHKEY
    }
}
