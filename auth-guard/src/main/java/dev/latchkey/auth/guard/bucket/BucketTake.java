package dev.latchkey.auth.guard.bucket;

import java.time.Duration;

/**
 * Whether a token was taken.
 *
 * @param taken whether there was one; if not, none was taken from any window
 * @param retryAfter when there will be one if nobody else takes it; zero if it was taken
 */
public record BucketTake(boolean taken, Duration retryAfter) {

    /** A token was taken. */
    public static final BucketTake TAKEN = new BucketTake(true, Duration.ZERO);

    /**
     * No token was taken.
     *
     * @param retryAfter when there will be one if nobody else takes it
     * @return a refusal
     */
    public static BucketTake denied(Duration retryAfter) {
        return new BucketTake(false, retryAfter);
    }
}
