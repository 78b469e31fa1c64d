package dev.latchkey.auth.password;

/**
 * One algorithm with fixed costs: how new passwords are hashed and written. Safe for use by any number of threads.
 *
 * @param springId the id in braces by which Spring's {@code DelegatingPasswordEncoder} knows the format
 * @param maxPasswordBytes the longest password that reaches the algorithm whole
 * @param memoryBytes the memory that one hash takes, of the kind that permits are needed for; 0 for none
 * @param writer makes the text, without the id, from a password and a salt of {@link #SALT_BYTES}
 */
record Scheme(Parameters parameters, String springId, int maxPasswordBytes, long memoryBytes, Writer writer) {

    /** PHC recommends 16 bytes of salt, and bcrypt takes no other length. */
    static final int SALT_BYTES = 16;

    @FunctionalInterface
    interface Writer {
        String hash(byte[] password, byte[] salt);
    }

    /** A scheme that takes passwords of any length and little memory. */
    static Scheme of(Parameters parameters, String springId, Writer writer) {
        return new Scheme(parameters, springId, Integer.MAX_VALUE, 0, writer);
    }

    String hash(byte[] password, byte[] salt) {
        return writer.hash(password, salt);
    }
}
