package dev.latchkey.auth.guard.bucket;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The windows of all buckets of one kind. A bucket has a token only if each of its windows has one.
 *
 * @param name 1 to 64 of {@code [a-z0-9-]}; buckets of different names never meet, whatever their keys
 * @param windows at least one; for instance a short one against bursts and a long one against patient attackers
 */
public record BucketPolicy(String name, List<LimitWindow> windows) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,64}");

    /**
     * @param name 1 to 64 of {@code [a-z0-9-]}
     * @param windows at least one; copied
     * @throws IllegalArgumentException if the name is not of that form or there is no window
     */
    public BucketPolicy {
        windows = List.copyOf(windows);
        requireName(name);
        if (windows.isEmpty()) {
            throw new IllegalArgumentException("The policy '" + name + "' needs at least one window");
        }
    }

    /**
     * Refuses what is no name of a limit, so that it can stand in a header field, a metric's tag or a store's key.
     *
     * @param name of a limit or a throttle
     * @throws IllegalArgumentException if it is not 1 to 64 of {@code [a-z0-9-]}
     */
    public static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("A limit's name is 1 to 64 of [a-z0-9-], got '" + name + "'");
        }
    }

    /**
     * A policy of these windows.
     *
     * @param name as {@link #name}
     * @param windows at least one
     * @return for {@link BucketStore#take}
     * @throws IllegalArgumentException if the name is not of its form or there is no window
     */
    public static BucketPolicy of(String name, LimitWindow... windows) {
        return new BucketPolicy(name, List.of(windows));
    }

    /**
     * How many tokens a full bucket gives at once.
     *
     * @return those of its smallest window
     */
    public long atOnce() {
        return windows.stream().mapToLong(LimitWindow::tokens).min().orElseThrow();
    }

    /**
     * How long a bucket must be left alone until it is surely full again. To forget it then changes nothing.
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
     * The windows as an operator reads them.
     *
     * @return for instance {@code 5 in PT5M, 150 in PT48H}
     */
    public String text() {
        return windows.stream()
                .map(window -> window.tokens() + " in " + window.per())
                .collect(Collectors.joining(", "));
    }
}
