package dev.latchkey.auth.password;

/**
 * What a stored value is. Immutable; holds nothing of the value itself.
 *
 * @param algorithm such as {@code bcrypt}, {@code argon2id} or {@code sha512-crypt}; {@code unknown} where no format has such a text
 * @param cost its parameters as text, such as {@code cost=10} or {@code m=19456,t=2,p=1}; empty where it has none or is not read
 * @param standing what to do about it
 * @param reason why, as a sentence for operators; empty for {@link Standing#CURRENT}. It says "a fast digest" of hashes that take a guesser no time
 */
public record HashInfo(String algorithm, String cost, Standing standing, String reason) {

    /** What to do about a stored value. */
    public enum Standing {
        /** It is as strong as what is written now. */
        CURRENT,
        /** It matches, and is to be replaced at the next login. */
        UPGRADE,
        /** It is recognised and matches no password: it is damaged, beyond a ceiling, or of a format that must be asked for. */
        REFUSED,
        /** It matches no password: no format has such a text. */
        UNKNOWN
    }

    /** As {@link #UNRECOGNISED}, where the formats of other systems are not read. */
    static final HashInfo UNREAD = new HashInfo(
            "unknown",
            "",
            Standing.UNKNOWN,
            "no format that is read here has such a text; auth-password-migration reads those of other systems");

    static final HashInfo UNRECOGNISED = new HashInfo(
            "unknown",
            "",
            Standing.UNKNOWN,
            "no format that is read here has such a text; the account needs a new password");

    /**
     * Whether the value still matches, and is to be replaced.
     *
     * @return true for {@link Standing#UPGRADE} alone
     */
    public boolean shouldUpgrade() {
        return standing == Standing.UPGRADE;
    }
}
