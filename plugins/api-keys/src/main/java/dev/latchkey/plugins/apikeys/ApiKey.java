package dev.latchkey.plugins.apikeys;

import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** A key as its owner sees it, without what it is made of. Immutable. */
public final class ApiKey {

    private final StoredKey stored;

    ApiKey(StoredKey stored) {
        this.stored = stored;
    }

    /**
     * Names it; part of the key, and no secret.
     *
     * @return what its owner names it by, in requests to rename, rotate or revoke it
     */
    public String id() {
        return stored.id();
    }

    /**
     * What its owner calls it.
     *
     * @return for people; several keys may have the same
     */
    public String name() {
        return stored.name();
    }

    /**
     * What it may do.
     *
     * @return scopes, without {@code SCOPE_} before them; not modifiable
     */
    public Set<String> scopes() {
        return stored.scopes();
    }

    /**
     * When it was issued; a rotation does not change that.
     *
     * @return to the millisecond
     */
    public Instant created() {
        return stored.created();
    }

    /**
     * From when on it is not good any more.
     *
     * @return empty for a key without an end
     */
    public Optional<Instant> expires() {
        return Optional.ofNullable(stored.expires());
    }

    /**
     * When it was used last; a later use of the same minute may be missing.
     *
     * @return empty for one that was never used
     */
    public Optional<Instant> lastUsed() {
        return Optional.ofNullable(stored.lastUsed());
    }

    /**
     * From when on the key that it was before its last rotation is not good any more.
     *
     * @return empty where it was never rotated
     */
    public Optional<Instant> formerUntil() {
        return Optional.ofNullable(stored.formerUntil());
    }

    @Override
    public String toString() {
        return "ApiKey[" + id() + "]";
    }
}
