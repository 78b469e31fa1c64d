package dev.latchkey.auth.guard.bucket;

/**
 * The key of a bucket: 128 bits of a keyed digest of an account, a source or both.
 *
 * <p>It is a digest, so that a long name takes no more memory than a short one, and so that neither a heap dump nor a shared store lists the
 * accounts. The digest has a key, so that nobody can choose names that collide. Digests that nodes share are HMAC-SHA-256, cut; those of one process
 * are two SipHashes.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record BucketKey(long high, long low) {}
