package dev.latchkey.auth.password.hash;

/**
 * One algorithm with fixed costs for new hashes. Safe for use by any number of threads.
 *
 * @param parameters the algorithm and its costs
 * @param springId the id in braces for the format in Spring's {@code DelegatingPasswordEncoder}
 * @param maxPasswordBytes the longest password that the algorithm uses completely
 * @param memoryBytes the bytes for which one hash needs {@link MemoryPermits}; 0 for none
 * @param writer creates the text, without the id, from a password and a salt of {@link #SALT_BYTES}
 * @param idler does a part of the work
 */
public record Scheme(
        Parameters parameters, String springId, int maxPasswordBytes, long memoryBytes, Writer writer, Idler idler) {

    /** The length of a new salt: PHC recommends 16 bytes, and bcrypt accepts no other length. */
    public static final int SALT_BYTES = 16;

    /** The reason to replace a row with this salt; empty if the salt is long enough. */
    static String noteOnSalt(byte[] salt) {
        return salt.length < SALT_BYTES ? "its salt has fewer than " + SALT_BYTES + " bytes" : "";
    }

    private static final double NEGLIGIBLE_SHARE = 1 / 32.0;

    /** Hashes a password with this salt, and writes the text. */
    @FunctionalInterface
    interface Writer {
        String hash(byte[] password, byte[] salt);
    }

    /** Spends about this share of the time, between 0 and 1. The result is not used. */
    @FunctionalInterface
    interface Idler {
        void work(double share, byte[] password, byte[] salt);
    }

    /** A scheme for passwords of any length, with little memory. */
    static Scheme of(Parameters parameters, String springId, Writer writer, Idler idler) {
        return new Scheme(parameters, springId, Integer.MAX_VALUE, 0, writer, idler);
    }

    /**
     * Hashes a password, and writes the text.
     *
     * @param password in UTF-8, with the pepper if there is one; not changed
     * @param salt of {@link #SALT_BYTES}, never used before
     * @return without the id in braces
     * @throws dev.latchkey.auth.AuthUnavailableException if there is no memory for another hash
     */
    public String hash(byte[] password, byte[] salt) {
        return writer.hash(password, salt);
    }

    /**
     * Spends a share of a hash's time, with a precision of about a thirty-second.
     *
     * @param share of the time, at most 1; no work for 0 or less
     * @param password hashed only to spend time; not changed
     * @throws dev.latchkey.auth.AuthUnavailableException if there is no memory for another hash
     */
    public void idle(double share, byte[] password) {
        byte[] salt = new byte[SALT_BYTES];
        if (share > 1 - NEGLIGIBLE_SHARE) {
            hash(password, salt);
        } else if (share > NEGLIGIBLE_SHARE) {
            idler.work(share, password, salt);
        }
    }

    /** An idler for costs that double the work with each step: halves, quarters and so on, down to the lowest cost. */
    static Idler halving(int log2cost, int lowest, CostedHash hash) {
        return (share, password, salt) -> {
            double left = share;
            for (int cost = log2cost - 1; cost >= lowest; cost--) {
                double part = Math.scalb(1.0, cost - log2cost);
                if (left >= part) {
                    hash.at(cost, password, salt);
                    left -= part;
                }
            }
        };
    }

    /** A hash with this cost, used only for its time. */
    @FunctionalInterface
    interface CostedHash {
        byte[] at(int log2cost, byte[] password, byte[] salt);
    }
}
