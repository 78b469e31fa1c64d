package dev.latchkey.plugins.codes;

import dev.latchkey.auth.RequestContext;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A remembered device, in the form for its owner. The values cannot be used to log in.
 *
 * @param id unique for all devices
 * @param name the client's {@code User-Agent} at the time of the login, not verified: at most 120 letters, digits,
 *     spaces and {@code ./;:()_+-}; empty without the field
 * @param since the start of the login with a code
 * @param until the latest time of the next required code
 */
public record KnownDevice(String id, String name, Instant since, Instant until) {

    private static final int LONGEST_NAME = 120;
    private static final int FIELDS = 4;

    /** The greatest accepted difference between two nodes' clocks. */
    private static final Duration SKEW = Duration.ofMinutes(5);

    static String nameOf(RequestContext context) {
        List<String> values = context.header("User-Agent");
        String agent = values.isEmpty() ? "" : values.get(0);
        String harmless = agent.replaceAll("[^A-Za-z0-9 ./;:()_+-]", "").strip();
        return harmless.substring(0, Math.min(harmless.length(), LONGEST_NAME));
    }

    /** The stored text. */
    String text() {
        return id + " " + since.getEpochSecond() + " " + until.getEpochSecond() + " " + name;
    }

    /** Reads the result of {@link #text}; empty for other text. */
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
     * Whether a login from the device needs no code now. After the clock was set back to more than five minutes before
     * the login with a code, a code is necessary.
     *
     * @param lifetime the present setting, which may be shorter than at the login
     */
    boolean isGoodAt(Instant now, Duration lifetime) {
        Duration age = Duration.between(since, now);
        return now.isBefore(until)
                && age.compareTo(lifetime) < 0
                && age.plus(SKEW).compareTo(Duration.ZERO) >= 0;
    }
}
