package dev.latchkey.auth.password.hash;

import java.util.function.UnaryOperator;

/** A parsed stored text: a hash that can be checked, or a rejection with its reason. Immutable. */
public sealed interface ParsedHash {

    /** Compares a password with the stored hash in constant time. Safe for use by any number of threads. */
    @FunctionalInterface
    interface Check {
        /**
         * Hashes the password with the row's costs, and compares.
         *
         * @param password in UTF-8; not changed and not kept
         * @return whether the password matches
         */
        boolean matches(byte[] password);
    }

    /**
     * A hash that can be checked.
     *
     * @param parameters its algorithm and costs
     * @param growth the extra time of a check for long passwords
     * @param check hashes and compares
     * @param note the reason for a replacement despite sufficient costs; empty if none
     */
    record Checkable(Parameters parameters, Growth growth, Check check, String note) implements ParsedHash {

        /**
         * A hash that needs no replacement apart from its costs.
         *
         * @param parameters its algorithm and costs
         * @param growth the extra time of a check for long passwords
         * @param check hashes and compares
         */
        public Checkable(Parameters parameters, Growth growth, Check check) {
            this(parameters, growth, check, "");
        }

        /**
         * The time of a check, estimated by {@link Effort}.
         *
         * @param passwordBytes the length of the password
         * @return in nanoseconds; only the ratios matter
         */
        public double nanos(int passwordBytes) {
            return parameters.nanos() * growth.factor(passwordBytes);
        }

        /**
         * Whether a password of this length is checked. If each round hashes the password again, the product of rounds
         * and length has a ceiling, because the sender chooses the length.
         *
         * @param passwordBytes the length of the password
         * @return false if the length makes the check longer than half a second
         */
        public boolean takes(int passwordBytes) {
            return growth.factor(passwordBytes) <= growth.factor(1)
                    || nanos(passwordBytes) <= Effort.LONGEST_CHECK_OF_A_LONG_PASSWORD;
        }

        /**
         * Returns the hash with an additional step before hashing.
         *
         * @param algorithm the name of the step and the hash together
         * @param step the change of the password before hashing
         * @param why the note of the new hash
         * @return a rejection if this JVM lacks the step's digest
         */
        public ParsedHash after(String algorithm, PreHash step, String why) {
            double factor = growth.factor(step.bytes);
            Parameters named = new Parameters(algorithm, parameters.costs());
            return needing(
                    step.digest,
                    new Checkable(named, any -> factor, password -> check.matches(step.of(password)), why));
        }

        /**
         * Returns the hash with a reason for a replacement.
         *
         * @param why the reason
         * @return with this note
         */
        public Checkable withNote(String why) {
            return new Checkable(parameters, growth, check, why);
        }
    }

    /**
     * A hash that is damaged, above the ceilings, or of a kind that is not accepted.
     *
     * @param algorithm the algorithm, as far as the text shows
     * @param reason for operators; contains no part of the text
     */
    record Refused(String algorithm, String reason) implements ParsedHash {}

    /**
     * A step before the hashing of a password.
     *
     * @param digest needed by the step
     * @param bytes the length of the result, equal for every password
     * @param step from the password to the bytes for hashing; does not change its argument
     */
    record PreHash(Digest digest, int bytes, UnaryOperator<byte[]> step) {
        byte[] of(byte[] password) {
            return step.apply(password);
        }
    }

    /**
     * The hash, if this JVM has the necessary digest.
     *
     * @param digest looked up now
     * @param hash needs the digest for its check
     * @return the hash, or a rejection if no security provider has the digest
     */
    static ParsedHash needing(Digest digest, Checkable hash) {
        return digest.isMissing()
                ? new Refused(
                        hash.parameters.algorithm(),
                        "needs " + digest.algorithm() + ", which no security provider of this JVM has")
                : hash;
    }

    /**
     * The rejection of a text that starts like this algorithm and is otherwise malformed.
     *
     * @param algorithm for the reason
     * @return matches no password
     */
    static ParsedHash damaged(String algorithm) {
        return new Refused(algorithm, "damaged: not as " + algorithm + " is written");
    }

    /**
     * The rejection of a text that needs a missing library.
     *
     * @param algorithm for the reason
     * @return matches no password
     */
    static ParsedHash withoutBouncyCastle(String algorithm) {
        return new Refused(algorithm, algorithm + " needs " + BouncyCastle.ARTIFACT + ", which is not used here");
    }

    /**
     * The rejection of a text with too much work or memory for one check.
     *
     * @param algorithm for the reason
     * @param ceiling the highest accepted costs, as text
     * @return matches no password
     */
    static ParsedHash beyond(String algorithm, String ceiling) {
        return new Refused(algorithm, "beyond the ceiling: " + algorithm + " is checked up to " + ceiling);
    }
}
