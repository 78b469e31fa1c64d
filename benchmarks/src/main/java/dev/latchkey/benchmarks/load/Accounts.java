package dev.latchkey.benchmarks.load;

/** The names and passwords of the services' accounts: {@code user-<n>-<p>} with {@code secret-<p>}. */
public final class Accounts {

    /** The number of different hashes. As many accounts share each hash, with a tag for different stored values. */
    public static final int POOL = 256;

    private Accounts() {}

    /** The i-th account; neighbours have different hashes. */
    public static String name(long i) {
        return "user-" + i / POOL + "-" + i % POOL;
    }

    public static String password(String name) {
        return "secret" + name.substring(name.lastIndexOf('-'));
    }

    public static String password(int line) {
        return "secret-" + line;
    }
}
