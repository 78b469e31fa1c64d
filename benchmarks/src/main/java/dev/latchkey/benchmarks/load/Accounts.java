package dev.latchkey.benchmarks.load;

import java.util.List;
import java.util.stream.IntStream;

/** The names and passwords of the services' accounts: {@code user-<n>-<p>} with {@code secret-<p>}. */
public final class Accounts {

    /** The number of different hashes. As many accounts share each hash, with a tag for different stored values. */
    public static final int POOL = 256;

    private Accounts() {}

    /** The i-th account; neighbours have different hashes. */
    public static String name(long i) {
        return "user-" + i / POOL + "-" + i % POOL;
    }

    /** So many accounts from the first on. */
    public static List<String> first(int number) {
        return IntStream.range(0, number).mapToObj(Accounts::name).toList();
    }

    public static String password(String name) {
        return "secret" + name.substring(name.lastIndexOf('-'));
    }

    public static String password(int line) {
        return "secret-" + line;
    }
}
