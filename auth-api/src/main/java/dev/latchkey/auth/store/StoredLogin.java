package dev.latchkey.auth.store;

import dev.latchkey.auth.Factors;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One login that refresh tokens prolong, as a {@link LoginStore} holds it. What the store holds cannot be used to log in: of tokens it has the hashes
 * only.
 *
 * @param id names the login; also the {@code sid} of the access tokens that were issued in it
 * @param plugin the name of the plugin that decided the login, and that alone is asked about its account later
 * @param subjectId who logged in
 * @param tokenHash the hash of the one refresh token that is good now
 * @param stamp a digest of the account's stamp at the login, under a key that only the bearer of the token has
 * @param methods how the login was proved, as {@link Factors#methods()} has it
 * @param startedAt when the login was
 * @param endsAt when it ends, however often it is prolonged
 * @param expiresAt when the token expires, after which the store may forget the login; no later than {@code endsAt}
 * @param replaced the token before the present one; null as long as the first one is good
 * @param device what the service chose to record of where the login was; {@link Device#UNKNOWN} unless it asked for that
 */
public record StoredLogin(
        String id,
        String plugin,
        String subjectId,
        String tokenHash,
        String stamp,
        Set<String> methods,
        Instant startedAt,
        Instant endsAt,
        Instant expiresAt,
        @Nullable Replaced replaced,
        Device device) {

    /**
     * @param id names the login; also the {@code sid} of the access tokens that were issued in it
     * @param plugin the name of the plugin that decided the login, and that alone is asked about its account later
     * @param subjectId who logged in
     * @param tokenHash the hash of the one refresh token that is good now
     * @param stamp what the account's credentials were at the login, under a key that only the token's bearer has
     * @param methods how the login was proved, as {@link Factors#methods()} has it
     * @param startedAt when the login was
     * @param endsAt when it ends, however often it is prolonged
     * @param expiresAt from when on the token is good for nothing, and the store may forget the login; no later than {@code endsAt}
     * @param replaced the token before the present one; null as long as the first one is good
     * @param device what the service chose to record of where the login was; {@link Device#UNKNOWN} unless it asked for that
     * @throws IllegalArgumentException if it would expire after its end, or a method is none
     */
    public StoredLogin {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(subjectId, "subjectId");
        Objects.requireNonNull(tokenHash, "tokenHash");
        Objects.requireNonNull(stamp, "stamp");
        Objects.requireNonNull(startedAt, "startedAt");
        Objects.requireNonNull(device, "device");
        methods = new Factors(methods, startedAt).methods();
        if (expiresAt.isAfter(endsAt)) {
            throw new IllegalArgumentException("A login expires no later than it ends");
        }
    }

    /**
     * A login of whose device nothing is recorded.
     *
     * @param id names the login; also the {@code sid} of the access tokens that were issued in it
     * @param plugin the name of the plugin that decided the login, and that alone is asked about its account later
     * @param subjectId who logged in
     * @param tokenHash the hash of the one refresh token that is good now
     * @param stamp what the account's credentials were at the login, under a key that only the token's bearer has
     * @param methods how the login was proved, as {@link Factors#methods()} has it
     * @param startedAt when the login was
     * @param endsAt when it ends, however often it is prolonged
     * @param expiresAt from when on the token is good for nothing, and the store may forget the login; no later than {@code endsAt}
     * @param replaced the token before the present one; null as long as the first one is good
     */
    public StoredLogin(
            String id,
            String plugin,
            String subjectId,
            String tokenHash,
            String stamp,
            Set<String> methods,
            Instant startedAt,
            Instant endsAt,
            Instant expiresAt,
            @Nullable Replaced replaced) {
        this(id, plugin, subjectId, tokenHash, stamp, methods, startedAt, endsAt, expiresAt, replaced, Device.UNKNOWN);
    }

    /**
     * The same login on this device.
     *
     * @param device what is recorded of it
     * @return another login; this one stays as it is
     */
    public StoredLogin withDevice(Device device) {
        return new StoredLogin(
                id, plugin, subjectId, tokenHash, stamp, methods, startedAt, endsAt, expiresAt, replaced, device);
    }

    /**
     * Whose login it is.
     *
     * @return the plugin and the id together, since ids alone may be those of two accounts
     */
    public Owner owner() {
        return new Owner(plugin, subjectId);
    }

    /**
     * When it was prolonged last; its start as long as it was not.
     *
     * @return by the clock of the node that prolonged it
     */
    public Instant lastUsedAt() {
        return replaced == null ? startedAt : replaced.at();
    }

    /**
     * An account. Plugins may have accounts of one name, and these are not the same one.
     *
     * @param plugin the name of the plugin that decides its logins
     * @param subjectId its id there
     */
    public record Owner(String plugin, String subjectId) {

        /**
         * The account of this id in this plugin, be there one or not.
         *
         * @param plugin the name of the plugin that decides its logins
         * @param subjectId its id there
         */
        public Owner {
            Objects.requireNonNull(plugin, "plugin");
            Objects.requireNonNull(subjectId, "subjectId");
        }
    }

    /**
     * What is recorded of the device of a login, for its owner to tell one login from another. Both are personal data, and the first
     * may come from a header field, which anybody can write: it proves nothing.
     *
     * @param name as the service calls the device, or its kind; null where it is not recorded
     * @param address from which the login came; null where it is not recorded
     */
    public record Device(@Nullable String name, @Nullable String address) {

        /** The longest name and the longest address, in characters. */
        public static final int LONGEST = 200;

        /** A device of which nothing is recorded. */
        public static final Device UNKNOWN = new Device(null, null);

        /**
         * @param name as the service calls the device, or its kind; null where it is not recorded
         * @param address from which the login came; null where it is not recorded
         * @throws IllegalArgumentException if {@link #isText} does not hold for one that is there
         */
        public Device {
            if ((name != null && !isText(name)) || (address != null && !isText(address))) {
                throw new IllegalArgumentException("The name and the address of a device have 1 to " + LONGEST
                        + " characters, and none that is a control character or half of a surrogate pair");
            }
        }

        /**
         * Whether it may be a name or an address.
         *
         * @param text what somebody may have sent
         * @return {@code false} where it is empty, longer than {@value #LONGEST} characters, or has control characters or half of a surrogate pair
         */
        public static boolean isText(String text) {
            return !text.isEmpty()
                    && text.length() <= LONGEST
                    && text.codePoints().noneMatch(Device::isNoText);
        }

        private static boolean isNoText(int codePoint) {
            return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
        }
    }

    /**
     * A token that has been used. Who presents it once more at nearly the same time lost a race, and is given what the winner was
     * given: the present token follows from this one and the seed.
     *
     * <p>The seed says nothing without that token. Who has the token and can read the store besides can compute the present one.
     *
     * @param tokenHash its hash
     * @param seed random, for this replacement
     * @param at when it was replaced; the present time where the store knows that nobody was told by what, since each who was going to tell it met an outage
     */
    public record Replaced(String tokenHash, String seed, Instant at) {

        /**
         * A replacement as a store keeps it beside the present token.
         *
         * @param tokenHash its hash
         * @param seed random, for this replacement
         * @param at when it was replaced; the present time where the store knows that nobody was told by what, since each who was going to tell it
         *     met an outage
         */
        public Replaced {
            Objects.requireNonNull(tokenHash, "tokenHash");
            Objects.requireNonNull(seed, "seed");
            Objects.requireNonNull(at, "at");
        }
    }
}
