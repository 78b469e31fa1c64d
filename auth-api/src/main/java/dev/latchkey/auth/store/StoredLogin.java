package dev.latchkey.auth.store;

import dev.latchkey.auth.Factors;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A session in a {@link LoginStore}, kept alive by refresh tokens. The stored data cannot be used to log in: the store
 * has only hashes of tokens.
 *
 * @param id of the session; also the {@code sid} of its access tokens
 * @param plugin the name of the plugin that decided the login. Only this plugin is asked about the account later
 * @param subjectId the id of the account, as the service names the subject
 * @param tokenHash the hash of the valid refresh token
 * @param stamp a digest of the account's stamp at the login, with a key known only to the holder of the token
 * @param methods the proofs of the login, as {@link Factors#methods()}
 * @param startedAt the time of the login
 * @param endsAt the end of the session, independent of refreshes
 * @param expiresAt the end of the token; then the store may remove the session. No later than {@code endsAt}
 * @param replaced the previous token; null before the first refresh
 * @param device the recorded device of the login; {@link Device#UNKNOWN} unless the service records devices
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
     * Checks the values.
     *
     * @param id of the session
     * @param plugin the name of the plugin that decided the login
     * @param subjectId the id of the account
     * @param tokenHash the hash of the valid refresh token
     * @param stamp a digest of the account's stamp at the login
     * @param methods the proofs of the login
     * @param startedAt the time of the login
     * @param endsAt the end of the session
     * @param expiresAt the end of the token
     * @param replaced the previous token; null before the first refresh
     * @param device the recorded device
     * @throws IllegalArgumentException if {@code expiresAt} is after {@code endsAt}, or a method has a wrong form
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
     * A session without a recorded device.
     *
     * @param id of the session
     * @param plugin the name of the plugin that decided the login
     * @param subjectId the id of the account
     * @param tokenHash the hash of the valid refresh token
     * @param stamp a digest of the account's stamp at the login
     * @param methods the proofs of the login
     * @param startedAt the time of the login
     * @param endsAt the end of the session
     * @param expiresAt the end of the token
     * @param replaced the previous token; null before the first refresh
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
     * A copy with this device.
     *
     * @param device the recorded device
     * @return another session
     */
    public StoredLogin withDevice(Device device) {
        return new StoredLogin(
                id, plugin, subjectId, tokenHash, stamp, methods, startedAt, endsAt, expiresAt, replaced, device);
    }

    /**
     * The time of the last refresh; the start before the first refresh.
     *
     * @return by the clock of the refreshing node
     */
    public Instant lastUsedAt() {
        return replaced == null ? startedAt : replaced.at();
    }

    /**
     * The recorded device of a login, so its user can tell sessions apart. Both values are personal data. The name may
     * come from a header field, so any client can choose the name: the name proves nothing.
     *
     * @param name the service's name of the device or its kind; null if not recorded
     * @param address the client IP of the login; null if not recorded
     */
    public record Device(@Nullable String name, @Nullable String address) {

        /** The greatest length of a name and of an address, in characters. */
        public static final int LONGEST = 200;

        /** Nothing is recorded. */
        public static final Device UNKNOWN = new Device(null, null);

        /**
         * Checks both texts.
         *
         * @param name the service's name of the device or its kind; null if not recorded
         * @param address the client IP of the login; null if not recorded
         * @throws IllegalArgumentException if a value is present and {@link #isText} rejects the value
         */
        public Device {
            if ((name != null && !isText(name)) || (address != null && !isText(address))) {
                throw new IllegalArgumentException("The name and the address of a device have 1 to " + LONGEST
                        + " characters, and none that is a control character or half of a surrogate pair");
            }
        }

        /**
         * Whether this text can be a name or an address.
         *
         * @param text from any caller
         * @return {@code false} if the text is empty, longer than {@value #LONGEST} characters, or has control
         *     characters or half of a surrogate pair
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
     * A used refresh token. If a client sends the used token again at nearly the same time, two of its requests raced.
     * The second gets the same answer as the first: the present token is computed from the used token and the seed.
     *
     * <p>The seed is worthless without the used token. A party with the used token and read access to the store can
     * compute the present token.
     *
     * @param tokenHash the hash of the used token
     * @param seed random, for this replacement
     * @param at the time of the replacement. The present time, if the store knows that no client has received the new
     *     token, because each request with the new token met an outage
     */
    public record Replaced(String tokenHash, String seed, Instant at) {

        /**
         * A replacement.
         *
         * @param tokenHash the hash of the used token
         * @param seed random, for this replacement
         * @param at the time of the replacement
         */
        public Replaced {
            Objects.requireNonNull(tokenHash, "tokenHash");
            Objects.requireNonNull(seed, "seed");
            Objects.requireNonNull(at, "at");
        }
    }
}
