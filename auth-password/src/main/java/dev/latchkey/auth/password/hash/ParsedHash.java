package dev.latchkey.auth.password.hash;

import java.util.function.UnaryOperator;

/** What a stored text turned out to be: a hash that can be checked, or one that is refused and why. */
public sealed interface ParsedHash {

    /** Compares a password, given as UTF-8, with the stored hash in constant time. */
    @FunctionalInterface
    interface Check {
        boolean matches(byte[] password);
    }

    /**
     * A hash that can be checked.
     *
     * @param growth by how much a check takes longer than the parameters say
     * @param note why it must be written anew although its costs would do; empty where it need not
     */
    record Checkable(Parameters parameters, Growth growth, Check check, String note) implements ParsedHash {

        /** A hash that need not be written anew. */
        public Checkable(Parameters parameters, Growth growth, Check check) {
            this(parameters, growth, check, "");
        }

        /** About how long a check of a password of this length takes, as {@link Effort} estimates it. */
        public double nanos(int passwordBytes) {
            return parameters.nanos() * growth.factor(passwordBytes);
        }

        /**
         * Whether a password of this length is checked at all: rounds times length is what has a ceiling, since the password's length is chosen by
         * whoever sends it.
         */
        public boolean takes(int passwordBytes) {
            return growth.factor(passwordBytes) <= growth.factor(1)
                    || nanos(passwordBytes) <= Effort.LONGEST_CHECK_OF_A_LONG_PASSWORD;
        }

        /** The same hash, of a password that was changed by {@code step} before it was hashed. */
        public ParsedHash after(String algorithm, PreHash step, String why) {
            double factor = growth.factor(step.bytes);
            Parameters named = new Parameters(algorithm, parameters.costs());
            return needing(
                    step.digest,
                    new Checkable(named, any -> factor, password -> check.matches(step.of(password)), why));
        }

        /** The same hash, to be written anew for this reason. */
        public Checkable withNote(String why) {
            return new Checkable(parameters, growth, check, why);
        }
    }

    /** A hash that is damaged, asks for more than the ceilings allow, or is of a kind that is not accepted. */
    record Refused(String algorithm, String reason) implements ParsedHash {}

    /**
     * What is done to a password before it is hashed.
     *
     * @param digest what it takes
     * @param bytes how many it makes of any password
     */
    record PreHash(Digest digest, int bytes, UnaryOperator<byte[]> step) {
        byte[] of(byte[] password) {
            return step.apply(password);
        }
    }

    /** The hash, if this JVM has the digest that its check takes. */
    static ParsedHash needing(Digest digest, Checkable hash) {
        return digest.isMissing()
                ? new Refused(
                        hash.parameters.algorithm(),
                        "needs " + digest.algorithm() + ", which no security provider of this JVM has")
                : hash;
    }

    static ParsedHash damaged(String algorithm) {
        return new Refused(algorithm, "damaged: not as " + algorithm + " is written");
    }

    static ParsedHash beyond(String algorithm, String ceiling) {
        return new Refused(algorithm, "beyond the ceiling: " + algorithm + " is checked up to " + ceiling);
    }
}
