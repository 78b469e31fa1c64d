package dev.latchkey.benchmarks.services;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What this process plays.
 *
 * @param hashes a file with one stored hash per line; account {@code user-<n>-<p>} has line p and the password
 *     {@code secret-<p>}
 * @param accounts how many numbers n there are for each line; ignored where the accounts are in a database
 * @param store where the accounts are
 * @param hashing how passwords are hashed
 * @param tokens who makes and checks the tokens
 * @param verifications how often each request's token is checked: 2 as in the server that this scenario re-tells, or 1
 * @param blockingBytesPerSecond of each client's download, by a bucket that the request's thread waits for; 0 for no such
 *     bucket
 */
@ConfigurationProperties("subject")
record SubjectProperties(
        Path hashes,
        @DefaultValue("1000") long accounts,
        @DefaultValue("MEMORY") Store store,
        @DefaultValue("BCRYPT") Hashing hashing,
        @DefaultValue("JJWT") TokenMaker tokens,
        @DefaultValue("2") int verifications,
        @DefaultValue("0") long blockingBytesPerSecond) {

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
