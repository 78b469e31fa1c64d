package dev.latchkey.auth.redis;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.Revocation;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;

/**
 * A revocation as text in Redis: its id in hexadecimal, its bound or a hyphen, and its end, in seconds since 1970,
 * readable in {@code redis-cli}.
 *
 * <p>Redis counts in doubles. A time after the year 9999 means for ever.
 */
final class RevocationText {

    private static final long LAST_SECOND =
            Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
    private static final Instant FOR_EVER = Instant.MAX.truncatedTo(ChronoUnit.SECONDS);
    private static final String NO_BOUND = "-";
    private static final HexFormat HEX = HexFormat.of();
    private static final int DIGITS = 2 * IdDigest.BYTES;

    private RevocationText() {}

    /** The revocation with the precision of Redis. */
    static Revocation asStored(Revocation revocation) {
        Instant bound = revocation.notBefore();
        return new Revocation(
                revocation.id(),
                bound.equals(Instant.MIN) ? bound : instantOf(secondsOf(bound)),
                instantOf(secondsOf(revocation.until())));
    }

    /** Adds the id, the bound and the end. */
    static void addTo(List<String> arguments, Revocation revocation) {
        Instant bound = revocation.notBefore();
        arguments.add(hex(revocation.id()));
        arguments.add(bound.equals(Instant.MIN) ? NO_BOUND : textOf(bound));
        arguments.add(textOf(revocation.until()));
    }

    /** Reads the three values, separated by spaces. */
    static Revocation parse(String text) {
        int boundAt = DIGITS + 1;
        int endAt = text.indexOf(' ', boundAt) + 1;
        try {
            IdDigest id = new IdDigest(
                    HexFormat.fromHexDigitsToLong(text, 0, DIGITS / 2),
                    HexFormat.fromHexDigitsToLong(text, DIGITS / 2, DIGITS));
            String bound = text.substring(boundAt, endAt - 1);
            return new Revocation(
                    id,
                    bound.equals(NO_BOUND) ? Instant.MIN : instantOf(Long.parseLong(bound)),
                    instantOf(Long.parseLong(text, endAt, text.length(), 10)));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw AuthUnavailableException.outage("Redis has something else than revocations under their key");
        }
    }

    static String hex(IdDigest id) {
        return HEX.toHexDigits(id.high()) + HEX.toHexDigits(id.low());
    }

    static String textOf(Instant time) {
        return Long.toString(secondsOf(time));
    }

    static Instant boundOf(String text) {
        try {
            return instantOf(Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw AuthUnavailableException.outage("Redis has something else than a bound under a subject's id");
        }
    }

    private static long secondsOf(Instant time) {
        return Math.max(-LAST_SECOND, Math.min(time.getEpochSecond(), LAST_SECOND));
    }

    private static Instant instantOf(long seconds) {
        return seconds >= LAST_SECOND ? FOR_EVER : Instant.ofEpochSecond(Math.max(-LAST_SECOND, seconds));
    }
}
