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

    /** Names it; part of the key, and no secret. */
    public String id() {
        return stored.id();
    }

    public String name() {
        return stored.name();
    }

    public Set<String> scopes() {
        return stored.scopes();
    }

    public Instant created() {
        return stored.created();
    }

    /** From when on it is not good any more. */
    public Optional<Instant> expires() {
        return Optional.ofNullable(stored.expires());
    }

    /** When it was used last; a later use of the same minute may be missing. */
    public Optional<Instant> lastUsed() {
        return Optional.ofNullable(stored.lastUsed());
    }

    /** From when on the key that it was before its last rotation is not good any more. */
    public Optional<Instant> formerUntil() {
        return Optional.ofNullable(stored.formerUntil());
    }

    @Override
    public String toString() {
        return "ApiKey[" + id() + "]";
    }
}
