package dev.latchkey.auth.password;

/** What a stored text turned out to be: a hash that can be checked, or one that is refused and why. */
sealed interface Reading {

    /** Compares a password, given as UTF-8, with the stored hash in constant time. */
    @FunctionalInterface
    interface Check {
        boolean matches(byte[] password);
    }

    /**
     * A hash that can be checked.
     *
     * @param note why it must be written anew although its costs would do; empty where it need not
     */
    record Checkable(Parameters parameters, Check check, String note) implements Reading {

        Checkable(Parameters parameters, Check check) {
            this(parameters, check, "");
        }

        /** The same hash, of a password that was changed by {@code step} before it was hashed. */
        Checkable after(String algorithm, PreHash step, String why) {
            return new Checkable(
                    new Parameters(algorithm, parameters.costs()),
                    password -> check.matches(step.apply(password)),
                    why);
        }
    }

    /** A hash that is damaged, asks for more than the ceilings allow, or is of a kind that is not accepted. */
    record Refused(String algorithm, String reason) implements Reading {}

    /** What is done to a password before it is hashed. */
    @FunctionalInterface
    interface PreHash {
        byte[] apply(byte[] password);
    }

    static Reading damaged(String algorithm) {
        return new Refused(algorithm, "damaged: not as " + algorithm + " is written");
    }

    static Reading beyond(String algorithm, String ceiling) {
        return new Refused(algorithm, "beyond the ceiling: " + algorithm + " is checked up to " + ceiling);
    }
}
