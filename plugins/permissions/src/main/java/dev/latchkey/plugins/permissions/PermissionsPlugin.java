package dev.latchkey.plugins.permissions;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.PluginNames;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Decides permissions: a subject may do exactly what its roles grant. A subject has the roles in the store for its id.
 * The authorities that start with {@code ROLE_}, without this prefix, and the authorities that start with
 * {@code SCOPE_} are roles too. An API key does not get the roles in the store for its owner's id. The plugin does not
 * decide logins.
 *
 * <p>Uses a copy of the policy. A change takes effect within {@code seenWithin}, and at once after {@link #refresh}.
 * During an outage of the store, the copy is used until its age reaches {@code seenWithin}. Afterwards there is no
 * decision, because permissions may have been revoked meanwhile.
 *
 * <p>Safe for use by any number of threads.
 */
public final class PermissionsPlugin implements PermissionSource {

    /** The limit on the number of subjects with remembered roles. */
    private static final int MOST_SUBJECTS = 100_000;

    private static final String ROLE_PREFIX = "ROLE_";

    private static final String SCOPE_PREFIX = "SCOPE_";

    /**
     * Roles from the store; {@link #refresh} invalidates roles with a lower number, even if they are still being read.
     *
     * @param at the begin of the reading, on the clock of {@link System#nanoTime}
     */
    private record Roles(Set<String> names, long at, long number) {}

    private final String name;
    private final PolicyStore store;
    private final long seenWithin;
    private final LongSupplier nanoTime;
    private final PolicyCopy policy;
    private final Cache<String, Roles> roles;
    private volatile boolean closed;

    private PermissionsPlugin(String name, PolicyStore store, Duration seenWithin, LongSupplier nanoTime) {
        this.name = name;
        this.store = store;
        this.seenWithin = seenWithin.toNanos();
        this.nanoTime = nanoTime;
        this.policy = new PolicyCopy(store, this.seenWithin, nanoTime);
        this.roles = Caffeine.newBuilder()
                .maximumSize(MOST_SUBJECTS)
                // Only frees memory. The age of roles is checked at each use, from the begin of their reading.
                .expireAfterWrite(seenWithin)
                .ticker(nanoTime::getAsLong)
                .build();
    }

    /**
     * Creates a plugin with this name and store.
     *
     * @param name in the form of plugin names in the configuration
     * @param store asked when the copy is older than {@code seenWithin}
     * @param seenWithin the longest delay of a change; positive
     * @return a plugin that decides permissions, and no logins
     * @throws IllegalArgumentException if the name is invalid, or the time is not positive
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
        return policy.policy().allows(rolesOf(subject), subject, permission) ? Access.GRANTED : Access.DENIED;
    }

    private Set<String> rolesOf(Subject subject) {
        Set<String> names = new HashSet<>();
        for (String authority : subject.authorities()) {
            if (authority.startsWith(ROLE_PREFIX)) {
                names.add(authority.substring(ROLE_PREFIX.length()));
            } else if (authority.startsWith(SCOPE_PREFIX)) {
                names.add(authority);
            }
        }
        // A key has its scopes, and no other right of its owner.
        if (!subject.claims().containsKey(Subject.KEY_CLAIM)) {
            names.addAll(rolesOf(subject.id()));
        }
        return names;
    }

    /** Drops all copies: the next question reads the store. Call {@code refresh} after a change on the same node. */
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
        long number = policy.number();
        long now = nanoTime.getAsLong();
        Roles known = roles.getIfPresent(subjectId);
        if (known == null || known.number() != number || now - known.at() >= seenWithin) {
            known = new Roles(Set.copyOf(store.rolesOf(subjectId)), now, number);
            // A slow reading must not replace a later reading.
            roles.asMap().merge(subjectId, known, (other, mine) -> other.at() - mine.at() > 0 ? other : mine);
        }
        return known.names();
    }
}
