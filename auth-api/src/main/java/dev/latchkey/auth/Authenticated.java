package dev.latchkey.auth;

import dev.latchkey.auth.engine.AuthChain;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The credentials prove this subject. Stamps are secrets, so {@link #equals} does not compare them.
 *
 * @param subject who it is
 * @param validUntil when this verdict ends, for instance at a token's {@code exp}; {@link Instant#MAX} where the credentials set no end
 * @param plugin the name of the plugin that decided. {@link AuthChain} sets it, whatever it was before; a plugin leaves it empty. Later questions about
 *     this login go to that plugin, since another one may have an account of the same name
 * @param factors how the subject was proved. {@link AuthChain} adds the password where one was checked. A token has the factors of the login that it was
 *     issued for
 * @param stamp the {@link Account#stamp()} of the account whose credentials were checked, by which the login can be prolonged without them; null where
 *     the plugin cannot look accounts up
 */
public record Authenticated(
        Subject subject,
        Instant validUntil,
        String plugin,
        Factors factors,
        @Nullable Secret stamp) implements Verdict {

    /**
     * A success of which everything is said.
     *
     * @param subject who it is
     * @param validUntil from when on this verdict may no longer be relied upon: a token's {@code exp}; {@link Instant#MAX} where the credentials set
     *     no bound of their own
     * @param plugin the name of the plugin that decided; {@link AuthChain} writes it, whatever stood here before, so it is empty until then. What is
     *     done later about this login is that plugin's to do, since another one may have an account of the same name
     * @param factors how it was proved; {@link AuthChain} adds that it was a password, where it was. What a token proves is what was proved when it
     *     was issued
     * @param stamp the stamp of the account whose credentials were checked, as {@link Account#stamp()} has it, so that the login can be prolonged
     *     without them; null where the plugin cannot look accounts up
     */
    public Authenticated {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(validUntil, "validUntil");
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(factors, "factors");
    }

    /**
     * A success that ends at this instant.
     *
     * @param subject who it is
     * @param validUntil from when on it may no longer be relied upon, such as a token's {@code exp}
     */
    public Authenticated(Subject subject, Instant validUntil) {
        this(subject, validUntil, "", Factors.none(), null);
    }

    /**
     * A success to which the credentials set no end.
     *
     * @param subject who it is
     * @return a success without stamp and without factors
     */
    public static Authenticated as(Subject subject) {
        return new Authenticated(subject, Instant.MAX);
    }

    /**
     * The same, as a login that can be prolonged. The plugin then also implements {@link LoginSource#account}, which returns the same stamp until the
     * account's credentials change.
     *
     * @param stamp as {@link Account#stamp()} has it
     * @return another success; this one stays as it is
     */
    public Authenticated withStamp(Secret stamp) {
        return new Authenticated(subject, validUntil, plugin, factors, Objects.requireNonNull(stamp, "stamp"));
    }

    /**
     * The same with these factors.
     *
     * @param factors how the credentials were proved, and when
     * @return another success; this one stays as it is
     */
    public Authenticated withFactors(Factors factors) {
        return new Authenticated(subject, validUntil, plugin, factors, stamp);
    }

    /**
     * The same, but not for longer than this.
     *
     * @param end from when on the login no longer holds
     * @return another success; the end is the earlier of both
     */
    public Authenticated until(Instant end) {
        return end.isBefore(validUntil) ? new Authenticated(subject, end, plugin, factors, stamp) : this;
    }

    /**
     * The same, as a decision of this plugin. For the chain.
     *
     * @param plugin the name of the source
     * @return another success
     */
    public Authenticated decidedBy(String plugin) {
        return new Authenticated(subject, validUntil, plugin, factors, stamp);
    }

    /**
     * The same for another form of the subject. For the chain.
     *
     * @param subject in place of the one before
     * @return another success
     */
    public Authenticated withSubject(Subject subject) {
        return new Authenticated(subject, validUntil, plugin, factors, stamp);
    }

    /**
     * The same without the stamp. For events.
     *
     * @return a success that cannot be refreshed
     */
    public Authenticated withoutStamp() {
        return stamp == null ? this : new Authenticated(subject, validUntil, plugin, factors, null);
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
}
