package dev.latchkey.plugins.apikeys;

import java.time.Duration;
import java.util.Objects;

/**
 * The form of keys, and the lifetime of cached rows.
 *
 * @param prefix the start of each key: lower-case letters, digits and underscores, with a letter first and an
 *     underscore last
 * @param seenWithin the longest delay before this process sees a change of another process, such as a revocation; at
 *     most an hour
 * @param mostPerAccount the limit of keys for each account, including expired keys
 * @param scopes the scopes that accounts may grant
 */
public record ApiKeySettings(String prefix, Duration seenWithin, int mostPerAccount, KeyScopes scopes) {

    /** The default prefix. */
    public static final String PREFIX = "lk_";

    private static final Duration LONGEST = Duration.ofHours(1);

    /**
     * Checks the values.
     *
     * @param prefix lower-case letters, digits and underscores, with a letter first and an underscore last
     * @param seenWithin positive, at most an hour
     * @param mostPerAccount 1 to 10,000
     * @param scopes the scopes that accounts may grant
     * @throws IllegalArgumentException if a value is outside its range; the message names the value
     */
    public ApiKeySettings {
        KeyFormat.withPrefix(prefix);
        if (seenWithin.isNegative() || seenWithin.isZero() || seenWithin.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("The delay of changes must be positive and at most an hour");
        }
        if (mostPerAccount < 1 || mostPerAccount > 10_000) {
            throw new IllegalArgumentException("An account may have 1 to 10,000 keys, not " + mostPerAccount);
        }
        Objects.requireNonNull(scopes, "scopes");
    }

    /**
     * The prefix {@code lk_}, a delay of ten seconds, twenty keys, and the account's own scopes.
     *
     * @return the default settings
     */
    public static ApiKeySettings defaults() {
        return new ApiKeySettings(PREFIX, Duration.ofSeconds(10), 20, KeyScopes.ofTheAccount());
    }

    /**
     * A copy with this prefix. Keys with another prefix are no longer recognized.
     *
     * @param prefix lower-case letters, digits and underscores, with a letter first and an underscore last
     * @return other settings
     * @throws IllegalArgumentException if the prefix has another form
     */
    public ApiKeySettings withPrefix(String prefix) {
        return new ApiKeySettings(prefix, seenWithin, mostPerAccount, scopes);
    }

    /**
     * A copy with this longest delay for changes of other processes.
     *
     * @param seenWithin positive, at most an hour
     * @return other settings
     * @throws IllegalArgumentException if the time is outside this range
     */
    public ApiKeySettings withSeenWithin(Duration seenWithin) {
        return new ApiKeySettings(prefix, seenWithin, mostPerAccount, scopes);
    }

    /**
     * A copy with this limit of keys for each account.
     *
     * @param mostPerAccount 1 to 10,000; expired keys count
     * @return other settings
     * @throws IllegalArgumentException if the number is outside this range
     */
    public ApiKeySettings withMostPerAccount(int mostPerAccount) {
        return new ApiKeySettings(prefix, seenWithin, mostPerAccount, scopes);
    }

    /**
     * A copy with these scopes.
     *
     * @param scopes the scopes that accounts may grant
     * @return other settings
     */
    public ApiKeySettings withScopes(KeyScopes scopes) {
        return new ApiKeySettings(prefix, seenWithin, mostPerAccount, scopes);
    }
}
