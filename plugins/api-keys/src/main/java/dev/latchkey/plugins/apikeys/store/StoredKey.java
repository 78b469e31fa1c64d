package dev.latchkey.plugins.apikeys.store;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row. Times are in whole milliseconds.
 *
 * @param id finds it; part of the key, and no secret
 * @param digest of the key's secret, {@code <id of the digest's key>.<HMAC>}, bound to id, owner and scopes
 * @param formerDigest of the secret before the last rotation; null where there was none
 * @param formerUntil from when on that one is not good any more; null where there was none
 * @param expires from when on the key is not good any more; null for never
 * @param lastUsed when it was used, at most a minute ago more than that; null for never
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
     * A row as it was read, or is to be written.
     *
     * @param id finds it; part of the key, and no secret
     * @param digest of the key's secret, {@code <id of the digest's key>.<HMAC>}, bound to id, owner and scopes
     * @param formerDigest of the secret before the last rotation; null where there was none
     * @param formerUntil from when on that one is not good any more; null where there was none
     * @param expires from when on the key is not good any more; null for never
     * @param lastUsed when it was used, at most a minute ago more than that; null for never
     * @param owner whose key it is
     * @param name for people
     * @param scopes what it may do
     * @param created when it was issued
     */
    public StoredKey {
        scopes = Set.copyOf(scopes);
    }

    /**
     * With another name, as {@link ApiKeyStore#rename} writes it.
     *
     * @param newer the name that it has from now on
     * @return another row; this one stays as it is
     */
    public StoredKey withName(String newer) {
        return new StoredKey(id, owner, newer, scopes, digest, formerDigest, formerUntil, created, expires, lastUsed);
    }

    /**
     * With another digest of the same secret, as {@link ApiKeyStore#redigest} writes it.
     *
     * @param newer by another key of digests
     * @return another row; this one stays as it is
     */
    public StoredKey withDigest(String newer) {
        return new StoredKey(id, owner, name, scopes, newer, formerDigest, formerUntil, created, expires, lastUsed);
    }

    /**
     * With another secret, as {@link ApiKeyStore#rotate} writes it: the present one becomes the former one.
     *
     * @param newer digest of the new secret
     * @param until when the present secret ends
     * @param end when the key ends; null for one that does not
     * @return another row; this one stays as it is
     */
    public StoredKey rotatedTo(String newer, Instant until, @Nullable Instant end) {
        return new StoredKey(id, owner, name, scopes, newer, digest, until, created, end, lastUsed);
    }

    /**
     * With another last use, as {@link ApiKeyStore#used} writes it.
     *
     * @param time of that use
     * @return another row; this one stays as it is
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
