package dev.latchkey.auth.guard.bucket;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The windows of all buckets of one kind. A bucket has a token only if each window has one.
 *
 * @param name 1 to 64 of {@code [a-z0-9-]}; buckets of different names never meet, whatever their keys
 * @param windows at least one; for instance a short one against bursts and a long one against patient attackers
 */
public record BucketPolicy(String name, List<LimitWindow> windows) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,64}");

    /** @throws IllegalArgumentException if the name is not of that form or there is no window */
    public BucketPolicy {
        windows = List.copyOf(windows);
        requireName(name);
        if (windows.isEmpty()) {
            throw new IllegalArgumentException("The policy '" + name + "' needs at least one window");
        }
    }

    public static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("A limit's name is 1 to 64 of [a-z0-9-], got '" + name + "'");
        }
    }

    public static BucketPolicy of(String name, LimitWindow... windows) {
        return new BucketPolicy(name, List.of(windows));
    }

    /** How many tokens a full bucket gives at once: as many as its smallest window. */
    public long atOnce() {
        return windows.stream().mapToLong(LimitWindow::tokens).min().orElseThrow();
    }

    /** The longest window: after so long without use, a bucket is full again, and forgetting it changes nothing. */
    public Duration fullAgainAfter() {
        return windows.stream()
                .map(LimitWindow::per)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** The windows as an operator reads them: {@code 5 in PT5M, 150 in PT48H}. */
    public String text() {
        return windows.stream()
                .map(window -> window.tokens() + " in " + window.per())
                .collect(Collectors.joining(", "));
    }
}
