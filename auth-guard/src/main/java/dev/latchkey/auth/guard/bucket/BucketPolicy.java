package dev.latchkey.auth.guard.bucket;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The windows of all buckets of one kind. A bucket has a token only if each of its windows has one.
 *
 * @param name 1 to 64 of {@code [a-z0-9-]}; buckets with different names are always separate
 * @param windows at least one; for instance a short window against bursts and a long window against patient attackers
 */
public record BucketPolicy(String name, List<LimitWindow> windows) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,64}");

    /**
     * @param name 1 to 64 of {@code [a-z0-9-]}
     * @param windows at least one; copied
     * @throws IllegalArgumentException if the name has another form or there is no window
     */
    public BucketPolicy {
        windows = List.copyOf(windows);
        requireName(name);
        if (windows.isEmpty()) {
            throw new IllegalArgumentException("The policy '" + name + "' needs at least one window");
        }
    }

    /**
     * Checks the name of a limit. A valid name can be part of a header field, a metric's tag or a store's key.
     *
     * @param name of a limit or a throttle
     * @throws IllegalArgumentException if the name is not 1 to 64 of {@code [a-z0-9-]}
     */
    public static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("A limit's name is 1 to 64 of [a-z0-9-], got '" + name + "'");
        }
    }

    /**
     * Creates a policy with these windows.
     *
     * @param name as {@link #name}
     * @param windows at least one
     * @return for {@link BucketStore#take}
     * @throws IllegalArgumentException if the name has another form or there is no window
     */
    public static BucketPolicy of(String name, LimitWindow... windows) {
        return new BucketPolicy(name, List.of(windows));
    }

    /**
     * The number of tokens that a full bucket gives at once.
     *
     * @return the tokens of the smallest window
     */
    public long atOnce() {
        return windows.stream().mapToLong(LimitWindow::tokens).min().orElseThrow();
    }

    /**
     * The time without use after which every bucket is full. A store may then forget the bucket.
     *
     * @return the longest window's length
     */
    public Duration fullAgainAfter() {
        return windows.stream()
                .map(LimitWindow::per)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /**
     * The windows as text for an operator.
     *
     * @return for instance {@code 5 in PT5M, 150 in PT48H}
     */
    public String text() {
        return windows.stream()
                .map(window -> window.tokens() + " in " + window.per())
                .collect(Collectors.joining(", "));
    }
}
