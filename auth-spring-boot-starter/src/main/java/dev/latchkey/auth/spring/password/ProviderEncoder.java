package dev.latchkey.auth.spring.password;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The encoder of one provider of Spring Security. The provider matches unknown names against a dummy hash, which it has had encoded from a constant
 * when it was first asked. Here that comparison costs what the accounts' own hashes do, and the dummy counts as no account for the limits. Each
 * provider has a dummy, and so an encoder, of its own.
 *
 * <p>A provider that learns of an outdated hash makes another one within the login. Where that is done after the answer, this encoder says that no
 * hash is outdated.
 */
final class ProviderEncoder implements PasswordEncoder {

    /** What Spring Security's provider makes its dummy hash from. */
    private static final String DUMMY = "userNotFoundPassword";

    private final LoginEncoder login;
    private final Predicate<String> isUpgradedLater;
    private volatile @Nullable String dummy;

    /** @param isUpgradedLater asked about an outdated hash whose owner has just logged in */
    ProviderEncoder(LoginEncoder login, Predicate<String> isUpgradedLater) {
        this.login = login;
        this.isUpgradedLater = isUpgradedLater;
    }

    LoginEncoder login() {
        return login;
    }

    @Override
    public boolean matches(CharSequence rawPassword, String encodedPassword) {
        if (encodedPassword != null && encodedPassword.equals(dummy)) {
            return login.spendAHash(rawPassword);
        }
        boolean matches = login.matches(rawPassword, encodedPassword);
        if (matches) {
            LoginComparison.matched(rawPassword, encodedPassword);
        }
        return matches;
    }

    @Override
    public String encode(CharSequence rawPassword) {
        String hash = login.encode(rawPassword);
        if (dummy == null && rawPassword != null && DUMMY.contentEquals(rawPassword)) {
            dummy = hash;
        }
        return hash;
    }

    @Override
    public boolean upgradeEncoding(String encodedPassword) {
        return login.upgradeEncoding(encodedPassword) && !isUpgradedLater.test(encodedPassword);
    }
}
