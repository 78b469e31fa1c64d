/**
 * Token buckets, their keys, and the stores of buckets. The package uses Bucket4j, Caffeine and the sources, and does
 * not know the counted events. Start reading at {@link dev.latchkey.auth.guard.bucket.BucketStore}, then
 * {@link dev.latchkey.auth.guard.bucket.LimitKeys}.
 */
@NullMarked
package dev.latchkey.auth.guard.bucket;

import org.jspecify.annotations.NullMarked;
