package dev.latchkey.auth.spring.password;

import org.jspecify.annotations.Nullable;

/**
 * What the login that this thread decides has had compared last: so that an account that is refused although its password is right
 * is told as late as a wrong password, and is not in the cache at the next guess.
 */
public final class LoginComparison {

    private static final ThreadLocal<LoginComparison> CURRENT = new ThreadLocal<>();

    private @Nullable LoginEncoder encoder;
    private @Nullable String storedHash;
    private boolean hashed;

    public static LoginComparison begin() {
        LoginComparison begun = new LoginComparison();
        CURRENT.set(begun);
        return begun;
    }

    public static void end() {
        CURRENT.set(null);
    }

    static void note(LoginEncoder encoder, String storedHash, boolean hashed) {
        LoginComparison current = CURRENT.get();
        if (current != null) {
            current.encoder = encoder;
            current.storedHash = storedHash;
            current.hashed |= hashed;
        }
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
