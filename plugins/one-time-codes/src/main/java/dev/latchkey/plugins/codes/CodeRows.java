package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The rows of accounts by their ids, changed by compare-and-set ({@link CodeStore}). After a lost race, the caller reads and
 * decides again. Immutable, and safe for use by any number of threads.
 */
final class CodeRows {

    private static final int MOST_RACES = 10;
    private static final int REVISION_BYTES = 16;

    private final SecureRandom random = new SecureRandom();
    private final CodeStore store;
    private final SecretKeys keys;
    private final InstantSource clock;

    CodeRows(CodeStore store, SecretKeys keys, InstantSource clock) {
        this.store = Objects.requireNonNull(store, "store");
        this.keys = Objects.requireNonNull(keys, "keys");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    CodeRows withClock(InstantSource other) {
        return new CodeRows(store, keys, other);
    }

    Instant now() {
        return clock.instant();
    }

    SecureRandom random() {
        return random;
    }

    /** The stored row. */
    Optional<StoredCodes> stored(String account) {
        return store.find(account);
    }

    /** The codes of this row, at the present time. */
    AccountCodes read(String account, StoredCodes stored) {
        return new AccountCodes(account, stored, keys, clock.instant());
    }

    /** The codes of an enrolled account. */
    Optional<AccountCodes> enrolled(String account) {
        return find(account).filter(AccountCodes::isEnrolled);
    }

    Optional<AccountCodes> find(String account) {
        return store.find(account).map(stored -> read(account, stored));
    }

    /**
     * Replaces the state of an earlier read.
     *
     * @return whether the row was unchanged since the read
     */
    boolean write(String account, Optional<StoredCodes> before, StoredCodes after) {
        return write(account, before, after, revision -> {});
    }

    /** @param writing gets the new revision before the write */
    boolean write(String account, Optional<StoredCodes> before, StoredCodes after, Consumer<String> writing) {
        byte[] bytes = new byte[REVISION_BYTES];
        random.nextBytes(bytes);
        StoredCodes next = after.withRevision(HexFormat.of().formatHex(bytes));
        writing.accept(next.revision());
        return before.map(read -> store.update(account, read.revision(), next))
                .orElseGet(() -> store.insert(account, next));
    }

    boolean delete(String account) {
        return store.delete(account);
    }

    /** Repeats the attempt until a result is present. An attempt is empty after a concurrent write. */
    static <T> T retried(Supplier<Optional<T>> attempt) {
        for (int i = 0; i < MOST_RACES; i++) {
            Optional<T> answer = attempt.get();
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        throw AuthUnavailableException.outage("Too many concurrent writes to the one-time codes of an account");
    }
}
