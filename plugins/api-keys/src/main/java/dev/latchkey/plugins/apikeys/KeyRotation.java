package dev.latchkey.plugins.apikeys;

import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a key is rotated.
 *
 * @param overlap how long the former secret stays good beside the new one, at most 30 days and never longer than it would have been; zero ends it
 *     at once
 * @param lifetime how long the new one is good; null for no end
 */
public record KeyRotation(Duration overlap, @Nullable Duration lifetime) {

    private static final Duration LONGEST_OVERLAP = Duration.ofDays(30);

    /**
     * @param overlap how long the former secret stays good beside the new one, at most 30 days and never longer than it would have been; zero ends it
     *     at once
     * @param lifetime how long the new one is good; null for no end
     * @throws IllegalArgumentException if a time is out of its bounds
     */
    public KeyRotation {
        if (overlap.isNegative() || overlap.compareTo(LONGEST_OVERLAP) > 0) {
            throw new IllegalArgumentException("A key that was rotated stays good for 0 to 30 days");
        }
        if (lifetime != null) {
            KeyRequest.requireLifetime(lifetime);
        }
    }

    /**
     * To a key without an end.
     *
     * @param overlap zero to 30 days
     * @return a rotation to be asked for once or often
     */
    public static KeyRotation overlappingBy(Duration overlap) {
        return new KeyRotation(overlap, null);
    }

    /**
     * The same, to one that is good for so long.
     *
     * @param lifetime from the rotation on
     * @return another one; this one stays as it is
     */
    public KeyRotation lasting(Duration lifetime) {
        return new KeyRotation(overlap, lifetime);
    }

    /** Whether the former secret of the last rotation is still good, and another overlap would end it before its time. */
    boolean cutsAnOverlapOf(StoredKey key, Instant now) {
        Instant former = key.formerUntil();
        return !overlap.isZero() && former != null && now.isBefore(former);
    }

    /** From when on the present secret of the key is not good any more. */
    Instant formerUntil(StoredKey key, Instant now) {
        Instant overlapEnd = now.plus(overlap);
        Instant expires = key.expires();
        return expires != null && expires.isBefore(overlapEnd) ? expires : overlapEnd;
    }
}
