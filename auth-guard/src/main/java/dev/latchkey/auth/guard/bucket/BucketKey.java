package dev.latchkey.auth.guard.bucket;

/**
 * Which bucket: 128 bits of a keyed digest of an account, a source or both.
 *
 * <p>A digest rather than the name, so that a long name costs no more memory than a short one, and neither a heap dump nor a
 * shared store lists who tried to log in; keyed, so that nobody can choose names that collide.
 */
public record BucketKey(long high, long low) {}
