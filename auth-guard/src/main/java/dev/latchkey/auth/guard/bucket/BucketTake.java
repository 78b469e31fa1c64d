package dev.latchkey.auth.guard.bucket;

import java.time.Duration;

/**
 * Whether a token was taken.
 *
 * @param taken whether there was a token; if not, no window lost one
 * @param retryAfter the time until a token if no other caller takes it; zero if a token was taken
 */
public record BucketTake(boolean taken, Duration retryAfter) {

    /** A token was taken. */
    public static final BucketTake TAKEN = new BucketTake(true, Duration.ZERO);

    /**
     * No token was taken.
     *
     * @param retryAfter the time until a token if no other caller takes it
     * @return a denial
     */
    public static BucketTake denied(Duration retryAfter) {
        return new BucketTake(false, retryAfter);
    }
}
