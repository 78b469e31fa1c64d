package dev.latchkey.benchmarks.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Accounts without a database: {@code user-<n>-<p>} has hash number p of a pool, with the number n as a tag behind the hash.
 *
 * <p>The pool exists because a million BCrypt hashes take a day to make. The tag makes every stored value different, as in a
 * real table, so no cache can mix two accounts up. {@link TaggedEncoder} cuts the tag off before the hash is computed, at full
 * cost.
 */
final class StoredHashes {

    private final List<String> pool;
    private final long accounts;

    StoredHashes(Path file, long accounts) {
        try {
            this.pool = Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException("The hashes cannot be read", e);
        }
        this.accounts = accounts;
    }

    /** The stored hash for this name. */
    Optional<String> find(String name) {
        int second = name.lastIndexOf('-');
        if (!name.startsWith("user-") || second < 6) {
            return Optional.empty();
        }
        try {
            long number = Long.parseLong(name, 5, second, 10);
            int line = Integer.parseInt(name, second + 1, name.length(), 10);
            boolean exists = number >= 0 && number < accounts && line >= 0 && line < pool.size();
            return exists ? Optional.of(pool.get(line) + "#" + number) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
