package dev.latchkey.auth.password.hash;

/**
 * One algorithm with fixed costs: how new passwords are hashed and written. Safe for use by any number of threads.
 *
 * @param parameters the algorithm and its costs
 * @param springId the id in braces by which Spring's {@code DelegatingPasswordEncoder} knows the format
 * @param maxPasswordBytes the longest password that reaches the algorithm whole
 * @param memoryBytes of one hash, of the kind that permits are needed for; 0 for none
 * @param writer makes the text, without the id, from a password and a salt of {@link #SALT_BYTES}
 * @param idler does a part of that work
 */
public record Scheme(
        Parameters parameters, String springId, int maxPasswordBytes, long memoryBytes, Writer writer, Idler idler) {

    /** The length of a new salt: PHC recommends 16 bytes, and bcrypt takes no other length. */
    public static final int SALT_BYTES = 16;

    /** Why a row with this salt is to be written anew; empty where it is as long as a new one. */
    static String noteOnSalt(byte[] salt) {
        return salt.length < SALT_BYTES ? "its salt has fewer than " + SALT_BYTES + " bytes" : "";
    }

    private static final double NEGLIGIBLE_SHARE = 1 / 32.0;

    /** Hashes a password with this salt, and writes the text. */
    @FunctionalInterface
    interface Writer {
        String hash(byte[] password, byte[] salt);
    }

    /** Hashes at costs that take about this share of the time, between 0 and 1, for the sake of the time alone. */
    @FunctionalInterface
    interface Idler {
        void work(double share, byte[] password, byte[] salt);
    }

    /** A scheme that takes passwords of any length and little memory. */
    static Scheme of(Parameters parameters, String springId, Writer writer, Idler idler) {
        return new Scheme(parameters, springId, Integer.MAX_VALUE, 0, writer, idler);
    }

    /**
     * Hashes a password, and writes the text.
     *
     * @param password in UTF-8, peppered where there is a pepper; not changed
     * @param salt of {@link #SALT_BYTES}, never used before
     * @return without the id in braces
     * @throws dev.latchkey.auth.AuthUnavailableException if there is no memory for another hash
     */
    public String hash(byte[] password, byte[] salt) {
        return writer.hash(password, salt);
    }

    /**
     * Takes the time of a share of a hash, to the nearest thirty-second or so.
     *
     * @param share of the time, at most 1; nothing is done for 0 and less
     * @param password hashed for the time alone; not changed
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

    /** A hash at this cost, of which only the time matters. */
    @FunctionalInterface
    interface CostedHash {
        byte[] at(int log2cost, byte[] password, byte[] salt);
    }
}
