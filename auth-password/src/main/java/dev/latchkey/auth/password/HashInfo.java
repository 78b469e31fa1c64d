package dev.latchkey.auth.password;

/**
 * A description of a stored value. Immutable; contains nothing of the value itself.
 *
 * @param algorithm such as {@code bcrypt}, {@code argon2id} or {@code sha512-crypt}; {@code unknown} if no format
 *     matches the text
 * @param cost the parameters as text, such as {@code cost=10} or {@code m=19456,t=2,p=1}; empty if there are none or
 *     the value is not read
 * @param standing the required action
 * @param reason a sentence for operators; empty for {@link Standing#CURRENT}. "A fast digest" means that guesses cost
 *     almost no time
 */
public record HashInfo(String algorithm, String cost, Standing standing, String reason) {

    /** The required action for a stored value. */
    public enum Standing {
        /** As strong as a new hash. */
        CURRENT,
        /** Matches its password; replace the value at the next login. */
        UPGRADE,
        /** Recognized, but matches no password: damaged, above a ceiling, or a format that must be enabled. */
        REFUSED,
        /** Matches no password: no format fits the text. */
        UNKNOWN
    }

    /** As {@link #UNRECOGNISED}, if the formats of other systems are not read. */
    static final HashInfo UNREAD = new HashInfo(
            "unknown",
            "",
            Standing.UNKNOWN,
            "no format that is read here has such a text; dev.latchkey:auth-password-migration reads those of other systems");

    static final HashInfo UNRECOGNISED = new HashInfo(
            "unknown",
            "",
            Standing.UNKNOWN,
            "no format that is read here has such a text; the account needs a new password");

    /**
     * Whether the value still matches and needs a replacement.
     *
     * @return true only for {@link Standing#UPGRADE}
     */
    public boolean shouldUpgrade() {
        return standing == Standing.UPGRADE;
    }
}
