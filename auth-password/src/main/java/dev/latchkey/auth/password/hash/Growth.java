package dev.latchkey.auth.password.hash;

/** By how much the check of one row takes longer than its costs say, for a password of some length. */
@FunctionalInterface
public interface Growth {

    /** The costs are those of a password of this length. */
    int USUAL_PASSWORD_BYTES = 16;

    /** Padding and the call take about as long for each part as so many bytes more. */
    int BYTES_FOR_A_PART = 36;

    /** 1 for what the costs say. */
    double factor(int passwordBytes);

    /** For algorithms that hash the password once, and go on with a digest of it. */
    static Growth none() {
        return times(1);
    }

    /** For so many blocks of a derived key, each of which costs the same (RFC 8018 section 5.2). */
    static Growth times(int blocks) {
        return passwordBytes -> blocks;
    }

    /**
     * For algorithms that hash the password anew in every round, behind other parts.
     *
     * @param otherParts how many parts are hashed in a round besides
     * @param otherBytes the bytes of these
     * @param passwords how often the password is hashed in a round
     */
    static Growth eachRound(double otherParts, double otherBytes, double passwords) {
        double fixed = otherBytes + (otherParts + passwords) * BYTES_FOR_A_PART;
        double usual = fixed + passwords * USUAL_PASSWORD_BYTES;
        return passwordBytes -> Math.max(1, (fixed + passwords * passwordBytes) / usual);
    }
}
