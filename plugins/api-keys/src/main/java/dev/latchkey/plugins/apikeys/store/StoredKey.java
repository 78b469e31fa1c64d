package dev.latchkey.plugins.apikeys.store;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row. Times are in whole milliseconds.
 *
 * @param id finds the row; a public part of the key
 * @param digest of the key's secret, {@code <id of the digest's secret>.<HMAC>}, bound to id, owner and scopes
 * @param formerDigest of the secret before the last rotation; null without a rotation
 * @param formerUntil the end of the former secret; null without a rotation
 * @param expires the end of the key; null for no end
 * @param lastUsed the last recorded use, up to a minute before the last use; null without a use
 */
public record StoredKey(
        String id,
        KeyOwner owner,
        String name,
        Set<String> scopes,
        String digest,
        @Nullable String formerDigest,
        @Nullable Instant formerUntil,
        Instant created,
        @Nullable Instant expires,
        @Nullable Instant lastUsed) {

    /**
     * A row, read or to be written.
     *
     * @param id finds the row; a public part of the key
     * @param digest of the key's secret, {@code <id of the digest's secret>.<HMAC>}, bound to id, owner and scopes
     * @param formerDigest of the secret before the last rotation; null without a rotation
     * @param formerUntil the end of the former secret; null without a rotation
     * @param expires the end of the key; null for no end
     * @param lastUsed the last recorded use; null without a use
     * @param owner of the key
     * @param name for people
     * @param scopes the permissions
     * @param created the time of issue
     */
    public StoredKey {
        scopes = Set.copyOf(scopes);
    }

    /**
     * A copy with another name, see {@link ApiKeyStore#rename}.
     *
     * @param newer the new name
     * @return another row
     */
    public StoredKey withName(String newer) {
        return new StoredKey(id, owner, newer, scopes, digest, formerDigest, formerUntil, created, expires, lastUsed);
    }

    /**
     * A copy with another digest of the same secret, see {@link ApiKeyStore#redigest}.
     *
     * @param newer with another secret of digests
     * @return another row
     */
    public StoredKey withDigest(String newer) {
        return new StoredKey(id, owner, name, scopes, newer, formerDigest, formerUntil, created, expires, lastUsed);
    }

    /**
     * A copy with another secret, see {@link ApiKeyStore#replaceSecrets}. The present secret becomes the former secret.
     *
     * @param newer digest of the new secret
     * @param until the end of the present secret
     * @param end of the key; null for no end
     * @return another row
     */
    public StoredKey rotatedTo(String newer, Instant until, @Nullable Instant end) {
        return new StoredKey(id, owner, name, scopes, newer, digest, until, created, end, lastUsed);
    }

    /**
     * A copy with another last use, see {@link ApiKeyStore#used}.
     *
     * @param time of the use
     * @return another row
     */
    public StoredKey usedAt(Instant time) {
        return new StoredKey(id, owner, name, scopes, digest, formerDigest, formerUntil, created, expires, time);
    }

    /** Without the digests. */
    @Override
    public String toString() {
        return "StoredKey[" + id + "]";
    }
}
