package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The rows of accounts by their {@linkplain #keyOf keys}, changed by compare-and-set ({@link CodeStore}). After a lost race, the caller reads and decides
 * again. Immutable, and safe for use by any number of threads.
 */
final class CodeRows {

    private static final int MOST_RACES = 10;
    private static final int REVISION_BYTES = 16;

    private final SecureRandom random = new SecureRandom();
    private final CodeStore store;
    private final SecretKeys keys;
    private final InstantSource clock;
    private final Function<String, List<String>> accountKeys;

    CodeRows(CodeStore store, SecretKeys keys, InstantSource clock, Function<String, List<String>> accountKeys) {
        this.store = Objects.requireNonNull(store, "store");
        this.keys = Objects.requireNonNull(keys, "keys");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.accountKeys = Objects.requireNonNull(accountKeys, "accountKeys");
    }

    CodeRows withClock(InstantSource other) {
        return new CodeRows(store, keys, other, accountKeys);
    }

    CodeRows withAccountKeys(Function<String, List<String>> other) {
        return new CodeRows(store, keys, clock, other);
    }

    Instant now() {
        return clock.instant();
    }

    SecureRandom random() {
        return random;
    }

    /** The stored row. */
    Optional<StoredCodes> stored(String key) {
        return store.find(key);
    }

    /** The codes of this row, at the present time. */
    AccountCodes read(String key, StoredCodes stored) {
        return new AccountCodes(key, stored, keys, clock.instant());
    }

    /** The codes of an enrolled account. */
    Optional<AccountCodes> enrolled(String key) {
        return find(key).filter(AccountCodes::isEnrolled);
    }

    Optional<AccountCodes> find(String key) {
        return store.find(key).map(stored -> read(key, stored));
    }

    /**
     * Replaces the state of an earlier read.
     *
     * @return whether the row was unchanged since the read
     */
    boolean write(String key, Optional<StoredCodes> before, StoredCodes after) {
        return write(key, before, after, revision -> {});
    }

    /** @param writing gets the new revision before the write */
    boolean write(String key, Optional<StoredCodes> before, StoredCodes after, Consumer<String> writing) {
        byte[] bytes = new byte[REVISION_BYTES];
        random.nextBytes(bytes);
        StoredCodes next = after.withRevision(HexFormat.of().formatHex(bytes));
        writing.accept(next.revision());
        return before.map(read -> store.update(key, read.revision(), next)).orElseGet(() -> store.insert(key, next));
    }

    boolean delete(String key) {
        return store.delete(key);
    }

    /**
     * The key of the account's enrolled row, otherwise the key for a new row. The row of the exact id comes first: the sources
     * may not tell the account from another account while both are disabled. One operation asks once, because the answer may
     * cost a look-up of the account.
     */
    String keyOf(String account) {
        List<String> possible = accountKeys.apply(account);
        String forNew = possible.get(0);
        return possible.size() == 1
                ? forNew
                : Stream.concat(Stream.of(account), possible.stream())
                        .distinct()
                        .filter(key -> enrolled(key).isPresent())
                        .findFirst()
                        .orElse(forNew);
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
