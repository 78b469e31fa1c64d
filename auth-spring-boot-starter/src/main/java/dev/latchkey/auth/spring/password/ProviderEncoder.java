package dev.latchkey.auth.spring.password;

import java.util.Optional;
import java.util.function.Predicate;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The encoder of a provider of Spring Security. A provider replaces an outdated hash within the login. If the hash is replaced
 * after the answer, this encoder says that no hash is outdated.
 *
 * @param isUpgradedLater called with an outdated hash after a successful login
 */
record ProviderEncoder(LoginEncoder login, Predicate<String> isUpgradedLater) implements PasswordEncoder {

    @Override
    public boolean matches(CharSequence rawPassword, String encodedPassword) {
        boolean matches = login.matches(rawPassword, encodedPassword);
        if (matches) {
            LoginComparison.matched(rawPassword, encodedPassword);
        }
        return matches;
    }

    /** Within a login, the provider stores this hash if the service has a store. */
    @Override
    public String encode(CharSequence rawPassword) {
        Optional<String> before = LoginComparison.replacing(rawPassword);
        String hash = login.encode(rawPassword);
        before.ifPresent(matched -> login.replaced(matched, hash));
        return hash;
    }

    @Override
    public boolean upgradeEncoding(String encodedPassword) {
        return login.upgradeEncoding(encodedPassword) && !isUpgradedLater.test(encodedPassword);
    }
}
