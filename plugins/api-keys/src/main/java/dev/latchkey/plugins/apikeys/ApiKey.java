package dev.latchkey.plugins.apikeys;

import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** A key as shown to its owner, without the secret. Immutable. */
public final class ApiKey {

    private final StoredKey stored;

    ApiKey(StoredKey stored) {
        this.stored = stored;
    }

    /**
     * The id, a public part of the key.
     *
     * @return the key's name in requests to rename, rotate or revoke the key
     */
    public String id() {
        return stored.id();
    }

    /**
     * The owner's name for the key.
     *
     * @return for people; several keys may have the same name
     */
    public String name() {
        return stored.name();
    }

    /**
     * The permissions of the key.
     *
     * @return scopes without the prefix {@code SCOPE_}; unmodifiable
     */
    public Set<String> scopes() {
        return stored.scopes();
    }

    /**
     * The time of issue, or the start of the login for the key; a rotation does not change this time.
     *
     * @return to the millisecond
     */
    public Instant created() {
        return stored.created();
    }

    /**
     * The end of the key.
     *
     * @return empty for a key without an end
     */
    public Optional<Instant> expires() {
        return Optional.ofNullable(stored.expires());
    }

    /**
     * The last use; a later use within the same minute may be missing.
     *
     * @return empty for a key without any use
     */
    public Optional<Instant> lastUsed() {
        return Optional.ofNullable(stored.lastUsed());
    }

    /**
     * The end of the former secret, from before the last rotation.
     *
     * @return empty for a key without rotation
     */
    public Optional<Instant> formerUntil() {
        return Optional.ofNullable(stored.formerUntil());
    }

    @Override
    public String toString() {
        return "ApiKey[" + id() + "]";
    }
}
