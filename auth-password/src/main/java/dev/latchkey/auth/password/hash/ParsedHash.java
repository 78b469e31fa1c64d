package dev.latchkey.auth.password.hash;

import java.util.function.UnaryOperator;

/** What a stored text turned out to be: a hash that can be checked, or one that is refused and why. Immutable. */
public sealed interface ParsedHash {

    /** Compares a password with the stored hash in constant time. Safe for use by any number of threads. */
    @FunctionalInterface
    interface Check {
        /**
         * Hashes the password at the row's costs, and compares.
         *
         * @param password in UTF-8; not changed and not kept
         * @return whether the hash is of it
         */
        boolean matches(byte[] password);
    }

    /**
     * A hash that can be checked.
     *
     * @param parameters its algorithm and costs
     * @param growth by how much a check takes longer than the parameters say
     * @param check hashes and compares
     * @param note why it must be written anew although its costs would do; empty where it need not
     */
    record Checkable(Parameters parameters, Growth growth, Check check, String note) implements ParsedHash {

        /**
         * A hash that need not be written anew.
         *
         * @param parameters its algorithm and costs
         * @param growth by how much a check takes longer than the parameters say
         * @param check hashes and compares
         */
        public Checkable(Parameters parameters, Growth growth, Check check) {
            this(parameters, growth, check, "");
        }

        /**
         * About how long a check takes, as {@link Effort} estimates it.
         *
         * @param passwordBytes the length of the password
         * @return in nanoseconds, of which only the ratios matter
         */
        public double nanos(int passwordBytes) {
            return parameters.nanos() * growth.factor(passwordBytes);
        }

        /**
         * Whether a password of this length is checked at all. Where each round hashes the password anew, the product of rounds and length has a
         * ceiling, since whoever sends the password chooses its length.
         *
         * @param passwordBytes the length of the password
         * @return false where the check would take more than half a second because of it
         */
        public boolean takes(int passwordBytes) {
            return growth.factor(passwordBytes) <= growth.factor(1)
                    || nanos(passwordBytes) <= Effort.LONGEST_CHECK_OF_A_LONG_PASSWORD;
        }

        /**
         * The same hash, of a password that was changed by a step before it was hashed.
         *
         * @param algorithm the name of both together
         * @param step what is done to the password first
         * @param why the note of the new hash
         * @return refused where this JVM lacks the digest of the step
         */
        public ParsedHash after(String algorithm, PreHash step, String why) {
            double factor = growth.factor(step.bytes);
            Parameters named = new Parameters(algorithm, parameters.costs());
            return needing(
                    step.digest,
                    new Checkable(named, any -> factor, password -> check.matches(step.of(password)), why));
        }

        /**
         * The same hash, to be written anew.
         *
         * @param why the reason
         * @return with that note
         */
        public Checkable withNote(String why) {
            return new Checkable(parameters, growth, check, why);
        }
    }

    /**
     * A hash that is damaged, asks for more than the ceilings allow, or is of a kind that is not accepted.
     *
     * @param algorithm as far as the text says it
     * @param reason for operators; holds nothing of the text
     */
    record Refused(String algorithm, String reason) implements ParsedHash {}

    /**
     * What is done to a password before it is hashed.
     *
     * @param digest that the step needs
     * @param bytes the length of its result, which is the same for any password
     * @param step from the password to what is hashed; it does not change its argument
     */
    record PreHash(Digest digest, int bytes, UnaryOperator<byte[]> step) {
        byte[] of(byte[] password) {
            return step.apply(password);
        }
    }

    /**
     * The hash, if this JVM has the digest that its check needs.
     *
     * @param digest looked up now
     * @param hash of which the check needs it
     * @return the hash, or its refusal where no security provider has the digest
     */
    static ParsedHash needing(Digest digest, Checkable hash) {
        return digest.isMissing()
                ? new Refused(
                        hash.parameters.algorithm(),
                        "needs " + digest.algorithm() + ", which no security provider of this JVM has")
                : hash;
    }

    /**
     * The refusal of a text that begins as this algorithm's does and goes on otherwise.
     *
     * @param algorithm for the reason
     * @return matches no password
     */
    static ParsedHash damaged(String algorithm) {
        return new Refused(algorithm, "damaged: not as " + algorithm + " is written");
    }

    /**
     * The refusal of a text whose check needs a library that is not there.
     *
     * @param algorithm for the reason
     * @return matches no password
     */
    static ParsedHash withoutBouncyCastle(String algorithm) {
        return new Refused(algorithm, algorithm + " is not read here, as these encoders do without Bouncy Castle");
    }

    /**
     * The refusal of a text that asks for more work or memory than one check may take.
     *
     * @param algorithm for the reason
     * @param ceiling up to which it is checked, as text
     * @return matches no password
     */
    static ParsedHash beyond(String algorithm, String ceiling) {
        return new Refused(algorithm, "beyond the ceiling: " + algorithm + " is checked up to " + ceiling);
    }
}
