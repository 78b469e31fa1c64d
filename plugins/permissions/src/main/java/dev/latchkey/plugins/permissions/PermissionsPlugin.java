package dev.latchkey.plugins.permissions;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.latchkey.auth.Access;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.PermissionSource;
import dev.latchkey.auth.PluginNames;
import dev.latchkey.auth.Subject;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Answers what a subject may do: what its roles grant, and nothing else. Its roles are those that the store has for its id, and its
 * authorities that begin with {@code ROLE_}. It logs nobody in.
 *
 * <p>Asks a copy of the policy. A change is seen within {@code seenWithin}, and at once where {@link #refresh} is called. A store that
 * does not answer costs nothing until the copy is as old as that; then no decision is reached, since what was taken away meanwhile is not
 * known.
 *
 * <p>Safe for use by any number of threads.
 */
public final class PermissionsPlugin implements PermissionSource {

    /** Of how many subjects the roles are remembered. */
    private static final int MOST_SUBJECTS = 100_000;

    private static final String ROLE_PREFIX = "ROLE_";

    /** What was read; {@link #refresh} makes roles of a lower number worthless, also those on their way. */
    private record Roles(Set<String> names, long number) {}

    private final String name;
    private final PolicyStore store;
    private final PolicyCopy policy;
    private final Cache<String, Roles> roles;
    private volatile boolean closed;

    private PermissionsPlugin(String name, PolicyStore store, Duration seenWithin, LongSupplier nanoTime) {
        this.name = name;
        this.store = store;
        this.policy = new PolicyCopy(store, seenWithin.toNanos(), nanoTime);
        this.roles = Caffeine.newBuilder()
                .maximumSize(MOST_SUBJECTS)
                .expireAfterWrite(seenWithin)
                .ticker(nanoTime::getAsLong)
                .build();
    }

    /**
     * A plugin of this name that asks the store.
     *
     * @param name as plugins are called in configuration
     * @param store is asked when what was read is older than that
     * @param seenWithin how late a change may be seen; positive
     * @return a plugin that decides what subjects may do, and no login
     * @throws IllegalArgumentException if the name is none, or the time is not positive
     */
    public static PermissionsPlugin of(String name, PolicyStore store, Duration seenWithin) {
        return of(name, store, seenWithin, System::nanoTime);
    }

    static PermissionsPlugin of(String name, PolicyStore store, Duration seenWithin, LongSupplier nanoTime) {
        if (seenWithin.isNegative() || seenWithin.isZero() || seenWithin.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(
                    "Changes are seen within a time between nothing and a day, not " + seenWithin);
        }
        return new PermissionsPlugin(
                PluginNames.require(name), Objects.requireNonNull(store, "store"), seenWithin, nanoTime);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Access authorize(Subject subject, Permission permission) {
        if (closed) {
            throw AuthUnavailableException.outage("The plugin '" + name + "' was closed");
        }
        Set<String> names = new HashSet<>(rolesOf(subject.id()));
        for (String authority : subject.authorities()) {
            if (authority.startsWith(ROLE_PREFIX)) {
                names.add(authority.substring(ROLE_PREFIX.length()));
            }
        }
        return policy.policy().allows(names, subject, permission) ? Access.GRANTED : Access.DENIED;
    }

    /** Forgets what it has read, so that the next question sees what the store has: for who has just changed it on this node. */
    public void refresh() {
        policy.forget();
        roles.invalidateAll();
    }

    @Override
    public void close() {
        closed = true;
        refresh();
    }

    private Set<String> rolesOf(String subjectId) {
        long now = policy.number();
        Roles known = roles.getIfPresent(subjectId);
        if (known == null || known.number() != now) {
            known = new Roles(Set.copyOf(store.rolesOf(subjectId)), now);
            roles.put(subjectId, known);
        }
        return known.names();
    }
}
