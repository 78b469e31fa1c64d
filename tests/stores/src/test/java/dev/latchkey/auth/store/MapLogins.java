package dev.latchkey.auth.store;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store of a few lines with all rules of the contract. A broken store overrides a step. */
class MapLogins implements LoginStore {

    final Map<String, StoredLogin> shared;
    final InstantSource clock;

    MapLogins(Map<String, StoredLogin> shared, InstantSource clock) {
        this.shared = shared;
        this.clock = clock;
    }

    MapLogins(InstantSource clock) {
        this(Collections.synchronizedMap(new LinkedHashMap<>()), clock);
    }

    Duration kept() {
        return Duration.ofSeconds(10);
    }

    @Override
    public void start(StoredLogin login) {
        shared.values()
                .removeIf(other -> other.expiresAt().isBefore(clock.instant().minus(kept())));
        shared.put(login.id(), login);
        synchronized (shared) {
            List<StoredLogin> oldestFirst = shared.values().stream()
                    .filter(other -> isOf(login.subjectId(), other))
                    .toList();
            if (oldestFirst.size() > most()) {
                shared.remove(oldestFirst.get(0).id());
            }
        }
    }

    @Override
    public List<StoredLogin> ofOwner(String subjectId) {
        List<StoredLogin> newestFirst;
        synchronized (shared) {
            newestFirst = new ArrayList<>(shared.values());
        }
        Collections.reverse(newestFirst);
        return newestFirst.stream()
                .filter(login -> isOf(subjectId, login) && !isOver(login))
                .limit(most())
                .toList();
    }

    boolean isOf(String subjectId, StoredLogin login) {
        return login.subjectId().equals(subjectId);
    }

    boolean isOver(StoredLogin login) {
        return !clock.instant().isBefore(login.expiresAt());
    }

    int most() {
        return MOST_OF_OWNER;
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
