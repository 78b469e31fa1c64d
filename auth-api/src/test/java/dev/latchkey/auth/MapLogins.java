package dev.latchkey.auth;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A store of a few lines that keeps the contract; what breaks a rule overrides one of its steps. */
class MapLogins implements LoginStore {

    final Map<String, StoredLogin> shared;
    final InstantSource clock;

    MapLogins(Map<String, StoredLogin> shared, InstantSource clock) {
        this.shared = shared;
        this.clock = clock;
    }

    MapLogins(InstantSource clock) {
        this(new ConcurrentHashMap<>(), clock);
    }

    Duration kept() {
        return Duration.ofSeconds(10);
    }

    @Override
    public void start(StoredLogin login) {
        shared.values()
                .removeIf(other -> other.expiresAt().isBefore(clock.instant().minus(kept())));
        shared.put(login.id(), login);
    }

    @Override
    public Optional<StoredLogin> find(String id) {
        return Optional.ofNullable(shared.get(id));
    }

    @Override
    public boolean replace(String expectedTokenHash, StoredLogin next) {
        StoredLogin present = shared.get(next.id());
        return present != null
                && present.tokenHash().equals(expectedTokenHash)
                && shared.replace(next.id(), present, next);
    }

    @Override
    public boolean end(String id) {
        return shared.remove(id) != null;
    }
}
