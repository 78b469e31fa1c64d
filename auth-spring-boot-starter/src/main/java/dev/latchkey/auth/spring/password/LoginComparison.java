package dev.latchkey.auth.spring.password;

import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the login that this thread decides has had compared last: so that an account that is refused although its password is right
 * is told as late as a wrong password, and is not in the cache at the next guess; and so that an outdated hash can be replaced after
 * the answer. Holds the password no longer than the login takes.
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

    /** Begins the login of this name, by which its account is looked up. */
    public static LoginComparison begin(String account) {
        LoginComparison begun = new LoginComparison(account);
        CURRENT.set(begun);
        return begun;
    }

    public static void end() {
        CURRENT.set(null);
    }

    /** What this part of a login answers, which asks a manager within for another name, as that of an address. */
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

    /** Gives the name and the password that has just matched this hash; {@code false} where they are not known. */
    static boolean handOver(String storedHash, BiConsumer<String, CharSequence> taker) {
        LoginComparison current = CURRENT.get();
        if (current == null || current.matchedPassword == null || !storedHash.equals(current.matchedHash)) {
            return false;
        }
        taker.accept(current.account, current.matchedPassword);
        return true;
    }

    /** The account was refused for its state, whatever the password was. */
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
