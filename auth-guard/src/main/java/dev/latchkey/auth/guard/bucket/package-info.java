/**
 * Buckets of what is still allowed: their keys, their policies, and the stores that hold them. It may use {@code source}, the
 * root and {@code internal}. Start with {@link dev.latchkey.auth.guard.bucket.BucketStore}.
 */
@NullMarked
package dev.latchkey.auth.guard.bucket;

import org.jspecify.annotations.NullMarked;
