package dev.latchkey.plugins.codes;

import dev.latchkey.auth.RequestContext;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A device that need not show codes for a while, as its owner is shown it. There is nothing in it to log in with.
 *
 * @param id names it, and never another one
 * @param name what it called itself when it was remembered, its {@code User-Agent}: letters, digits, spaces and {@code ./;:()_+-}, 120 at
 *     most; its own word, and empty where it said nothing
 * @param since when it showed a code
 * @param until when it has to show one again
 */
public record KnownDevice(String id, String name, Instant since, Instant until) {

    private static final int LONGEST_NAME = 120;
    private static final int FIELDS = 4;

    /** How far the clocks of two nodes may be apart. */
    private static final Duration SKEW = Duration.ofMinutes(5);

    static String nameOf(RequestContext context) {
        List<String> values = context.headers().values("User-Agent");
        String agent = values.isEmpty() ? "" : values.get(0);
        String harmless = agent.replaceAll("[^A-Za-z0-9 ./;:()_+-]", "").strip();
        return harmless.substring(0, Math.min(harmless.length(), LONGEST_NAME));
    }

    /** What is stored of it. */
    String text() {
        return id + " " + since.getEpochSecond() + " " + until.getEpochSecond() + " " + name;
    }

    /** What {@link #text} wrote; empty for what it did not. */
    static Optional<KnownDevice> parse(String text) {
        String[] fields = text.split(" ", FIELDS);
        try {
            return fields.length == FIELDS
                    ? Optional.of(new KnownDevice(fields[0], fields[3], instant(fields[1]), instant(fields[2])))
                    : Optional.empty();
        } catch (NumberFormatException | DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Instant instant(String seconds) {
        return Instant.ofEpochSecond(Long.parseLong(seconds));
    }

    /**
     * Whether it need not show a code now. A clock that was set back does not prolong that.
     *
     * @param lifetime for how long devices are remembered now, which may be shorter than it was
     */
    boolean isGoodAt(Instant now, Duration lifetime) {
        Duration age = Duration.between(since, now);
        return now.isBefore(until)
                && age.compareTo(lifetime) < 0
                && age.plus(SKEW).compareTo(Duration.ZERO) >= 0;
    }
}
