package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.engine.CurrentLogin;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.AuthenticationException;

/**
 * The last password comparison in the login of the calling thread. An account may be rejected despite a right password. Then the
 * answer must take as long as for a wrong password, and the cache must forget the password. {@link LaterUpgrades} reads the
 * matched password here, to replace an outdated hash after the answer. Holds the password only during the login.
 */
public final class LoginComparison {

    private static final CurrentLogin.Part<LoginComparison> PART = new CurrentLogin.Part<>();

    private String account;
    private @Nullable LoginEncoder encoder;
    private @Nullable String storedHash;
    private boolean hashed;
    private @Nullable CharSequence matchedPassword;
    private @Nullable String matchedHash;
    private boolean isReplacing;

    /**
     * A login in which nothing was compared yet.
     *
     * @param account the name by which the account is looked up
     */
    public LoginComparison(String account) {
        this.account = account;
    }

    /**
     * Adds this object to a login, so that the comparisons are noted here.
     *
     * @param login of the request
     * @return the login with this part
     */
    public CurrentLogin within(CurrentLogin login) {
        return login.with(PART, this);
    }

    private static @Nullable LoginComparison current() {
        return CurrentLogin.here().get(PART);
    }

    /**
     * Decides a part of a login. A nested manager may use another name for the account, such as an e-mail address.
     *
     * @param <T> the type of the result
     * @param account the name for the lookup of the account in this part
     * @param part called at once, on the calling thread
     * @return the result of the part
     */
    public static <T> T partOf(String account, Supplier<T> part) {
        LoginComparison current = current();
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
        LoginComparison current = current();
        if (current != null) {
            current.encoder = encoder;
            current.storedHash = storedHash;
            current.hashed |= hashed;
        }
    }

    static void matched(CharSequence password, String storedHash) {
        LoginComparison current = current();
        if (current != null) {
            current.matchedPassword = password;
            current.matchedHash = storedHash;
        }
    }

    /**
     * Notes that a provider hashes this password anew, after all its checks.
     *
     * @param password any password
     * @return the stored hash of the calling thread's login; empty if no hash has just matched this password
     */
    static Optional<String> replacing(CharSequence password) {
        LoginComparison current = current();
        if (current == null
                || current.matchedPassword == null
                || CharSequence.compare(password, current.matchedPassword) != 0) {
            return Optional.empty();
        }
        current.isReplacing = true;
        return Optional.ofNullable(current.matchedHash);
    }

    /**
     * Whether an exception comes from a store that takes no new hash. The password was then right, and all checks were passed.
     *
     * @param failure of the login
     * @return false for each exception of Spring Security, because such an exception may be an answer
     */
    public boolean isOfTheStore(Throwable failure) {
        return isReplacing && !(failure instanceof AuthenticationException);
    }

    /**
     * Passes the name, and the password that has just matched this hash, to the taker. Returns {@code false} if no password has
     * just matched this hash.
     */
    static boolean handOver(String storedHash, BiConsumer<String, CharSequence> taker) {
        LoginComparison current = current();
        if (current == null || current.matchedPassword == null || !storedHash.equals(current.matchedHash)) {
            return false;
        }
        taker.accept(current.account, current.matchedPassword);
        return true;
    }

    /**
     * Notes that the account was rejected for its state, regardless of the password. May compute a hash, and removes the account
     * from the cache.
     */
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
