package dev.latchkey.auth.password.hash;

/** By how much the check of one row takes longer than its costs say, for a password of some length. Safe for use by any number of threads. */
@FunctionalInterface
public interface Growth {

    /** The length of password that the costs stand for, in bytes. */
    int USUAL_PASSWORD_BYTES = 16;

    /** Padding and the call take about as long for each part as this many bytes more. */
    int BYTES_FOR_A_PART = 36;

    /**
     * The factor for a password.
     *
     * @param passwordBytes its length in UTF-8
     * @return at least 1, which stands for what the costs say
     */
    double factor(int passwordBytes);

    /**
     * For algorithms that hash the password once, and go on with a digest of it.
     *
     * @return 1 for every length
     */
    static Growth none() {
        return times(1);
    }

    /**
     * For derived keys of several blocks, each of which costs the same (RFC 8018 section 5.2).
     *
     * @param blocks at least 1
     * @return that number for every length
     */
    static Growth times(int blocks) {
        return passwordBytes -> blocks;
    }

    /**
     * For algorithms that hash the password anew in every round, behind other parts.
     *
     * @param otherParts how many parts are hashed in a round besides
     * @param otherBytes how many bytes these have
     * @param passwords how often the password is hashed in a round
     * @return 1 up to the usual length, and more for longer passwords
     */
    static Growth eachRound(double otherParts, double otherBytes, double passwords) {
        double fixed = otherBytes + (otherParts + passwords) * BYTES_FOR_A_PART;
        double usual = fixed + passwords * USUAL_PASSWORD_BYTES;
        return passwordBytes -> Math.max(1, (fixed + passwords * passwordBytes) / usual);
    }
}
