package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Bans accounts from single features of the service for a time. For example, an account may log in and read, but may not
 * comment until Sunday. A rule asks by {@code hasPermission('feature:comment', 'use')} in method security, or by
 * {@code permission("feature:comment", "use")} in a filter chain. The answer is yes for each account without a ban.
 *
 * <p>Bans are in the service's {@link RevocationStore}. So each node with the same store knows the bans, for each kind of
 * login. The bean exists if {@code latchkey.permissions.features} is true.
 *
 * <p><b>Lifting a ban in a store that only revokes.</b> The bound of a subject moves forward and never back. So each ban
 * of an account belongs to a generation, and the generation is a bound too. {@link #lift} begins the next generation, and
 * no question reads the bans of an earlier generation. The bound of a generation is never before the end of its bans and
 * of earlier bans. So the store does not forget the generation before these bans.
 *
 * <p>A change reads the store itself, so the change takes account of each completed change of another node. Rules and
 * {@link #bannedUntil} read the copy of the node. The copy knows the change of another node half a second later.
 *
 * <p>Safe for use by any number of threads. Each method throws {@link AuthUnavailableException} if the store does not answer.
 */
public final class FeatureBans {

    private static final int LONGEST_NAME = 64;

    /** A later end is cut to this time, because some stores keep times as floating-point numbers. */
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    private final RevocationStore store;
    private final InstantSource clock;

    FeatureBans(RevocationStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /**
     * Bans the account from the feature. An existing ban with a later end stays unchanged. To shorten a ban, call
     * {@link #lift} first.
     *
     * @param subjectId as the service names the account
     * @param feature 1 to 64 characters, not all blank, without control characters
     * @param until the end of the ban, rounded up to whole seconds; {@link Instant#MAX} for a ban without an end
     * @throws IllegalArgumentException if the id or the feature is malformed, or the end is not in the future
     */
    public void ban(String subjectId, String feature, Instant until) {
        Instant end = until.isAfter(LATEST) ? LATEST : roundedUp(until);
        if (!end.isAfter(clock.instant())) {
            throw new IllegalArgumentException("The end of a ban must be in the future, got " + until);
        }
        String generations = generations(subjectId, feature);
        Instant present = current(generations);
        boolean isFirst = present.equals(Instant.MIN);
        Instant generation = isFirst || !end.isAfter(present) ? present : end;
        // The ban first, and its generation afterwards: if this node stops in between, the earlier ban is still in
        // force.
        setBound(bans(subjectId, feature, generation), end);
        if (generation.isAfter(present)) {
            setBound(generations, generation);
        }
    }

    /**
     * Lifts the ban, on each node. Does nothing without a ban.
     *
     * @param subjectId as the service names the account
     * @param feature as in {@link #ban}
     * @throws IllegalArgumentException if the id or the feature is malformed
     */
    public void lift(String subjectId, String feature) {
        String generations = generations(subjectId, feature);
        Instant present = current(generations);
        Instant until = current(bans(subjectId, feature, present));
        if (until.isAfter(clock.instant())) {
            setBound(generations, (until.isAfter(present) ? until : present).plusSeconds(1));
        }
    }

    /**
     * The end of the account's ban.
     *
     * @param subjectId as the service names the account
     * @param feature as in {@link #ban}
     * @return empty if the account may use the feature
     * @throws IllegalArgumentException if the id or the feature is malformed
     */
    public Optional<Instant> bannedUntil(String subjectId, String feature) {
        Instant generation = store.notBefore(generations(subjectId, feature));
        return Optional.of(store.notBefore(bans(subjectId, feature, generation)))
                .filter(until -> until.isAfter(clock.instant()));
    }

    /** Whether a rule may ask about a feature of this name. */
    static boolean isFeature(String name) {
        return !name.isBlank() && name.length() <= LONGEST_NAME && name.chars().noneMatch(Character::isISOControl);
    }

    /** For a command of the service. One request may ban many accounts, so each call has its own time. */
    private Instant current(String id) {
        return StoreTime.forEachCall(() -> store.currentNotBefore(id));
    }

    /** A store sets the bound to the next whole second after the given time. */
    private void setBound(String id, Instant wholeSecond) {
        store.revokeSubject(id, wholeSecond.minusNanos(1));
    }

    private static Instant roundedUp(Instant time) {
        Instant whole = time.truncatedTo(ChronoUnit.SECONDS);
        return whole.equals(time) ? whole : whole.plusSeconds(1);
    }

    private static String generations(String subjectId, String feature) {
        return id("generation", subjectId, feature);
    }

    private static String bans(String subjectId, String feature, Instant generation) {
        return id("ban" + (generation.equals(Instant.MIN) ? "" : generation.getEpochSecond()), subjectId, feature);
    }

    /** The id of a bound. Never the id of a subject, because a subject's id has no control character. */
    private static String id(String kind, String subjectId, String feature) {
        if (!Subject.isId(subjectId) || !isFeature(feature)) {
            throw new IllegalArgumentException("A ban needs the id of a subject, and a feature of 1 to " + LONGEST_NAME
                    + " characters without control characters");
        }
        return kind + '\0' + feature + '\0' + subjectId;
    }
}
