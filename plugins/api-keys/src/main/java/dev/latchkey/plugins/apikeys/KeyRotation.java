package dev.latchkey.plugins.apikeys;

import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A rotation of a key.
 *
 * @param overlap the time for which the former secret stays valid beside the new secret, at most 30 days. The former
 *     secret never outlives its own end. Zero ends the former secret immediately
 * @param lifetime of the new secret; null for no end
 */
public record KeyRotation(Duration overlap, @Nullable Duration lifetime) {

    private static final Duration LONGEST_OVERLAP = Duration.ofDays(30);

    /**
     * Checks the values.
     *
     * @param overlap zero to 30 days
     * @param lifetime of the new secret; null for no end
     * @throws IllegalArgumentException if a time is outside its range
     */
    public KeyRotation {
        if (overlap.isNegative() || overlap.compareTo(LONGEST_OVERLAP) > 0) {
            throw new IllegalArgumentException("The overlap of a rotation is 0 to 30 days");
        }
        if (lifetime != null) {
            KeyRequest.requireLifetime(lifetime);
        }
    }

    /**
     * A rotation to a secret without an end.
     *
     * @param overlap zero to 30 days
     * @return a rotation, usable more than once
     */
    public static KeyRotation overlappingBy(Duration overlap) {
        return new KeyRotation(overlap, null);
    }

    /**
     * A copy with this lifetime of the new secret.
     *
     * @param lifetime from the rotation on
     * @return another rotation
     */
    public KeyRotation lasting(Duration lifetime) {
        return new KeyRotation(overlap, lifetime);
    }

    /**
     * Whether this rotation would end the former secret of the last rotation before its promised time. Always false
     * without an overlap: such a rotation ends all earlier secrets on purpose.
     */
    boolean cutsAnOverlapOf(StoredKey key, Instant now) {
        Instant former = key.formerUntil();
        return !overlap.isZero() && former != null && now.isBefore(former);
    }

    /** The end of the present secret after this rotation. */
    Instant formerUntil(StoredKey key, Instant now) {
        Instant overlapEnd = now.plus(overlap);
        Instant expires = key.expires();
        return expires != null && expires.isBefore(overlapEnd) ? expires : overlapEnd;
    }
}
