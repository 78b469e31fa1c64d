package dev.latchkey.plugins.apikeys;

import java.time.Duration;
import java.util.Objects;

/**
 * How keys are written, and how long this process relies on what it has read.
 *
 * @param prefix what keys begin with: lower-case letters, digits and underscores, a letter first and an underscore last
 * @param seenWithin how late this process may see what another one has changed, a revocation above all; at most an hour
 * @param mostPerAccount how many keys an account may have, those that are over included
 * @param scopes which scopes accounts may give
 */
public record ApiKeySettings(String prefix, Duration seenWithin, int mostPerAccount, KeyScopes scopes) {

    /** The prefix where none is chosen. */
    public static final String PREFIX = "lk_";

    private static final Duration LONGEST = Duration.ofHours(1);

    /**
     * @param prefix what keys begin with: lower-case letters, digits and underscores, a letter first and an underscore last
     * @param seenWithin how late this process may see what another one has changed, a revocation above all; at most an hour
     * @param mostPerAccount how many keys an account may have, those that are over included
     * @param scopes which scopes accounts may give
     * @throws IllegalArgumentException if one of them is out of its bounds; the message says which
     */
    public ApiKeySettings {
        KeyFormat.withPrefix(prefix);
        if (seenWithin.isNegative() || seenWithin.isZero() || seenWithin.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("Changes are seen within a time between nothing and an hour");
        }
        if (mostPerAccount < 1 || mostPerAccount > 10_000) {
            throw new IllegalArgumentException("An account may have 1 to 10,000 keys, not " + mostPerAccount);
        }
        Objects.requireNonNull(scopes, "scopes");
    }

    /**
     * {@code lk_}, ten seconds, twenty keys, and the scopes that an account has itself.
     *
     * @return settings as a service has that says nothing
     */
    public static ApiKeySettings defaults() {
        return new ApiKeySettings(PREFIX, Duration.ofSeconds(10), 20, KeyScopes.ofTheAccount());
    }

    /**
     * These, with keys that begin so; those that begin otherwise are not recognised any more.
     *
     * @param prefix lower-case letters, digits and underscores, a letter first and an underscore last
     * @return others; these stay as they are
     * @throws IllegalArgumentException if it is none
     */
    public ApiKeySettings withPrefix(String prefix) {
        return new ApiKeySettings(prefix, seenWithin, mostPerAccount, scopes);
    }

    /**
     * These, with changes of other processes that are seen so late at most.
     *
     * @param seenWithin more than nothing, an hour at most
     * @return others; these stay as they are
     * @throws IllegalArgumentException if it is out of these bounds
     */
    public ApiKeySettings withSeenWithin(Duration seenWithin) {
        return new ApiKeySettings(prefix, seenWithin, mostPerAccount, scopes);
    }

    /**
     * These, with so many keys for each account.
     *
     * @param mostPerAccount 1 to 10,000; those that are over count
     * @return others; these stay as they are
     * @throws IllegalArgumentException if it is out of these bounds
     */
    public ApiKeySettings withMostPerAccount(int mostPerAccount) {
        return new ApiKeySettings(prefix, seenWithin, mostPerAccount, scopes);
    }

    /**
     * These, with other scopes that accounts may give.
     *
     * @param scopes in place of those before
     * @return others; these stay as they are
     */
    public ApiKeySettings withScopes(KeyScopes scopes) {
        return new ApiKeySettings(prefix, seenWithin, mostPerAccount, scopes);
    }
}
