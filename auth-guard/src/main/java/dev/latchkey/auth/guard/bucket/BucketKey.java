package dev.latchkey.auth.guard.bucket;

/**
 * The key of a bucket: 128 bits of a keyed digest of an account, a source or both.
 *
 * <p>With a digest, a long name takes no more memory than a short name. Neither a heap dump nor a shared store lists
 * the accounts. The digest has a secret key, so that an attacker cannot choose names that collide. Keys shared by nodes
 * are truncated HMAC-SHA-256. Keys of one process are two SipHashes.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record BucketKey(long high, long low) {}
