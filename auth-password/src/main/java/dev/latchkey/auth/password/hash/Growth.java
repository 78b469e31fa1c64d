package dev.latchkey.auth.password.hash;

/**
 * The time of a row's check for a password of some length, as a multiple of the time by the row's costs. Safe for use
 * by any number of threads.
 */
@FunctionalInterface
public interface Growth {

    /** The password length, in bytes, for which the costs are exact. */
    int USUAL_PASSWORD_BYTES = 16;

    /** The fixed time of a hashed part, for padding and the call, as a number of additional bytes. */
    int BYTES_FOR_A_PART = 36;

    /**
     * The factor for a password.
     *
     * @param passwordBytes the length of the password in UTF-8
     * @return at least 1; 1 means the time by the costs
     */
    double factor(int passwordBytes);

    /**
     * For algorithms that hash the password once, and continue with a digest.
     *
     * @return 1 for every length
     */
    static Growth none() {
        return times(1);
    }

    /**
     * For derived keys of several blocks with equal costs (RFC 8018 section 5.2).
     *
     * @param blocks at least 1
     * @return the number of blocks for every length
     */
    static Growth times(int blocks) {
        return passwordBytes -> blocks;
    }

    /**
     * For algorithms that hash the password again in every round, after other parts.
     *
     * @param otherParts the number of other parts in a round
     * @param otherBytes the length of the other parts in bytes
     * @param passwords how often a round hashes the password
     * @return 1 up to the usual length, and more for longer passwords
     */
    static Growth eachRound(double otherParts, double otherBytes, double passwords) {
        double fixed = otherBytes + (otherParts + passwords) * BYTES_FOR_A_PART;
        double usual = fixed + passwords * USUAL_PASSWORD_BYTES;
        return passwordBytes -> Math.max(1, (fixed + passwords * passwordBytes) / usual);
    }
}
