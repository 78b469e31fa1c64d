package dev.latchkey.auth.spring.password;

import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What was compared last in the login that the calling thread decides. An account may be refused although its password is right: then it is told as
 * late as a wrong password, and is not in the cache at the next guess. And an outdated hash can be replaced after the answer. Holds the password no
 * longer than the login takes.
 */
public final class LoginComparison {

    private static final ThreadLocal<LoginComparison> CURRENT = new ThreadLocal<>();

    private String account;
    private @Nullable LoginEncoder encoder;
    private @Nullable String storedHash;
    private boolean hashed;
    private @Nullable CharSequence matchedPassword;
    private @Nullable String matchedHash;

    private LoginComparison(String account) {
        this.account = account;
    }

    /**
     * Begins a login on the calling thread, which {@link #end} ends.
     *
     * @param account the name by which the account is looked up
     * @return nothing was compared in it yet
     */
    public static LoginComparison begin(String account) {
        LoginComparison begun = new LoginComparison(account);
        CURRENT.set(begun);
        return begun;
    }

    /** Ends the login of the calling thread, and lets go of its password. */
    public static void end() {
        CURRENT.set(null);
    }

    /**
     * Decides a part of a login: a manager within may be asked for another name, that of an address say.
     *
     * @param <T> what the part answers
     * @param account the name by which this part looks up the account
     * @param part called at once, on the calling thread
     * @return its answer
     */
    public static <T> T within(String account, Supplier<T> part) {
        LoginComparison current = CURRENT.get();
        if (current == null) {
            return part.get();
        }
        String before = current.account;
        current.account = account;
        try {
            return part.get();
        } finally {
            current.account = before;
        }
    }

    static void note(LoginEncoder encoder, String storedHash, boolean hashed) {
        LoginComparison current = CURRENT.get();
        if (current != null) {
            current.encoder = encoder;
            current.storedHash = storedHash;
            current.hashed |= hashed;
        }
    }

    static void matched(CharSequence password, String storedHash) {
        LoginComparison current = CURRENT.get();
        if (current != null) {
            current.matchedPassword = password;
            current.matchedHash = storedHash;
        }
    }

    /** Gives away the name, and the password that has just matched this hash; {@code false} where they are not known. */
    static boolean handOver(String storedHash, BiConsumer<String, CharSequence> taker) {
        LoginComparison current = CURRENT.get();
        if (current == null || current.matchedPassword == null || !storedHash.equals(current.matchedHash)) {
            return false;
        }
        taker.accept(current.account, current.matchedPassword);
        return true;
    }

    /** Notes that the account was refused for its state, whatever its password was. May compute a hash, and removes the account from the cache. */
    public void refused() {
        LoginEncoder asked = encoder;
        String hash = storedHash;
        if (asked != null && hash != null) {
            asked.forget(hash);
            if (!hashed) {
                asked.spendAHash("wrong");
            }
        }
    }
}
