package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One process of a service, with its own clocks and a plugin {@code users} with the test's accounts. */
final class Node implements AutoCloseable {

    static final KeyDigests DIGESTS = KeyDigests.of(Secret.of(new byte[32]));

    final SetClock clock;
    final Nanos nanos = new Nanos();
    final FakeStore store;
    final Map<String, Verdict> accounts = new ConcurrentHashMap<>();
    final Map<String, Instant> created = new ConcurrentHashMap<>();
    final ApiKeys keys;
    boolean accountsAreDown;

    private Node(ApiKeyStore store, SetClock clock, KeyDigests digests, ApiKeySettings settings) {
        this.store = new FakeStore(store);
        this.clock = clock;
        this.keys = new ApiKeys(this.store, digests, settings, this::account, clock, nanos);
    }

    static Node of(ApiKeyStore store, SetClock clock) {
        return of(store, clock, DIGESTS);
    }

    static Node of(ApiKeyStore store, SetClock clock, KeyDigests digests) {
        ApiKeySettings settings = ApiKeySettings.defaults()
                .withScopes(new KeyScopes(Map.of("orders:read", Set.of("ROLE_USER", "ROLE_ADMIN"))))
                .withMostPerAccount(3);
        return new Node(store, clock, digests, settings);
    }

    private Optional<Verdict> account(String plugin, String account) {
        if (accountsAreDown) {
            throw AuthUnavailableException.outage("down");
        }
        return plugin.equals("users")
                ? Optional.ofNullable(accounts.get(account)).map(state -> dated(state, account))
                : Optional.empty();
    }

    private Verdict dated(Verdict state, String account) {
        Instant at = created.get(account);
        return at != null && state instanceof Authenticated present ? present.withCreated(at) : state;
    }

    void hasAccount(String name, String... authorities) {
        accounts.put(name, Authenticated.as(Subject.of(name).withAuthorities(authorities)));
    }

    void passes(Duration time) {
        clock.move(time);
        nanos.move(time);
    }

    IssuedKey issue(KeyOwner owner, String... scopes) {
        return (IssuedKey) keys.issue(owner, KeyRequest.named("ci", scopes));
    }

    Decision show(IssuedKey key) {
        return keys.check(key.text());
    }

    boolean takes(IssuedKey key) {
        return show(key) instanceof Authenticated;
    }

    @Override
    public void close() {
        keys.close();
    }
}
