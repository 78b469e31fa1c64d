package dev.latchkey.auth;

import dev.latchkey.auth.engine.AuthChain;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The credentials prove this subject. Stamps are secrets, so {@link #equals} does not compare stamps. {@link #equals}
 * ignores {@link #details} too.
 *
 * @param subject the authenticated account or service
 * @param validUntil the end of this verdict, for instance a token's {@code exp}; {@link Instant#MAX} if the credentials
 *     set no end
 * @param plugin the name of the deciding plugin. {@link AuthChain} sets the name and replaces any earlier value; a
 *     plugin leaves the name empty. Later questions about this login go to the named plugin, because another plugin may
 *     have an account with the same name
 * @param factors the proofs of the login. {@link AuthChain} adds the password after a password check. A token has the
 *     factors of its login
 * @param stamp a secret, such as the stored hash, with a new value after each change of the account's credentials.
 *     Needed for a refresh without credentials; null if the plugin cannot look accounts up
 * @param details the account as the plugin loaded the account, for service code that knows the type: a
 *     {@code UserDetails}, for example. Never stored, never sent and never printed; null if the plugin keeps nothing
 * @param created the creation of the account; null if the plugin has no such time. Older API keys and passkeys belong
 *     to a deleted account of the same name, and are rejected
 */
public record Authenticated(
        Subject subject,
        Instant validUntil,
        String plugin,
        Factors factors,
        @Nullable Secret stamp,
        @Nullable Object details,
        @Nullable Instant created)
        implements Verdict {

    /**
     * A success with all its parts.
     *
     * @param subject the authenticated account or service
     * @param validUntil the end of this verdict; {@link Instant#MAX} for no end
     * @param plugin the name of the deciding plugin; empty in a plugin's own answer
     * @param factors the proofs of the login, without the password
     * @param stamp changes with the account's credentials; null if the plugin cannot look accounts up
     * @param details as above; null if the plugin keeps nothing
     * @param created the creation of the account; null if the plugin has no such time
     */
    public Authenticated {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(validUntil, "validUntil");
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(factors, "factors");
    }

    /**
     * A success with an end.
     *
     * @param subject the authenticated account or service
     * @param validUntil the end of the verdict, such as a token's {@code exp}
     */
    public Authenticated(Subject subject, Instant validUntil) {
        this(subject, validUntil, "", Factors.none(), null, null, null);
    }

    /**
     * A success without an end.
     *
     * @param subject the authenticated account or service
     * @return a success without stamp and without factors
     */
    public static Authenticated as(Subject subject) {
        return new Authenticated(subject, Instant.MAX);
    }

    /**
     * A copy with a stamp, so a session can be refreshed without credentials. The plugin then also implements
     * {@link LoginSource#account}, with the same stamp until the account's credentials change.
     *
     * @param stamp changes with the account's credentials
     * @return a copy with the stamp
     */
    public Authenticated withStamp(Secret stamp) {
        return new Authenticated(
                subject, validUntil, plugin, factors, Objects.requireNonNull(stamp, "stamp"), details, created);
    }

    /**
     * A copy with these factors.
     *
     * @param factors the proofs of the login and their time
     * @return a copy with the factors
     */
    public Authenticated withFactors(Factors factors) {
        return new Authenticated(subject, validUntil, plugin, factors, stamp, details, created);
    }

    /**
     * A copy with an earlier end, if the given end is earlier.
     *
     * @param end the new end of the login
     * @return ends at the earlier of both instants
     */
    public Authenticated until(Instant end) {
        return end.isBefore(validUntil)
                ? new Authenticated(subject, end, plugin, factors, stamp, details, created)
                : this;
    }

    /**
     * A copy as a decision of this plugin. For the chain.
     *
     * @param plugin the name of the source
     * @return a copy with the plugin's name
     */
    public Authenticated decidedBy(String plugin) {
        return new Authenticated(subject, validUntil, plugin, factors, stamp, details, created);
    }

    /**
     * A copy with another form of the subject. For the chain.
     *
     * @param subject replaces the present subject
     * @return a copy with the subject
     */
    public Authenticated withSubject(Subject subject) {
        return new Authenticated(subject, validUntil, plugin, factors, stamp, details, created);
    }

    /**
     * Returns a copy with the account as the plugin loaded the account. Service code then needs no second look-up.
     *
     * @param details an object of any type; the plugin's documentation names the type
     * @return a copy with the details
     */
    public Authenticated withDetails(Object details) {
        return new Authenticated(
                subject, validUntil, plugin, factors, stamp, Objects.requireNonNull(details, "details"), created);
    }

    /**
     * A copy with the time of the account's creation.
     *
     * @param created always the same for an account
     * @return a copy with the time
     */
    public Authenticated withCreated(Instant created) {
        return new Authenticated(
                subject, validUntil, plugin, factors, stamp, details, Objects.requireNonNull(created, "created"));
    }

    /**
     * Whether a credential of this time belongs to a deleted account of the same name.
     *
     * @param issued the time of issue of an API key, for example; compared to the millisecond
     * @return {@code false} if the creation of the account is unknown
     */
    public boolean isYoungerThan(Instant issued) {
        return created != null && issued.isBefore(created.truncatedTo(ChronoUnit.MILLIS));
    }

    /**
     * A copy without the stamp. For events.
     *
     * @return a success that cannot be refreshed
     */
    public Authenticated withoutSecrets() {
        return stamp == null && details == null
                ? this
                : new Authenticated(subject, validUntil, plugin, factors, null, null, created);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Authenticated that
                && subject.equals(that.subject)
                && validUntil.equals(that.validUntil)
                && plugin.equals(that.plugin)
                && factors.equals(that.factors);
    }

    @Override
    public int hashCode() {
        return Objects.hash(subject, validUntil, plugin, factors);
    }

    /** Without the stamp and the details: an account object may print its password hash. */
    @Override
    public String toString() {
        return "Authenticated[subject=" + subject + ", validUntil=" + validUntil + ", plugin=" + plugin + ", factors="
                + factors + "]";
    }
}
