package dev.latchkey.auth.spring.password;

import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The encoder of one provider of Spring Security, which matches unknown names against a dummy hash that it had encoded from a
 * constant when it was first asked. Here that comparison costs what the accounts' own hashes do, and the dummy is not an account that
 * the limits could count. One for each provider: each has a dummy of its own.
 */
final class ProviderEncoder implements PasswordEncoder {

    /** What Spring Security's provider makes its dummy hash from. */
    private static final String DUMMY = "userNotFoundPassword";

    private final LoginEncoder login;
    private volatile @Nullable String dummy;

    ProviderEncoder(LoginEncoder login) {
        this.login = login;
    }

    LoginEncoder login() {
        return login;
    }

    @Override
    public boolean matches(CharSequence rawPassword, String encodedPassword) {
        return (encodedPassword != null && encodedPassword.equals(dummy))
                ? login.spendAHash(rawPassword)
                : login.matches(rawPassword, encodedPassword);
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
        return login.upgradeEncoding(encodedPassword);
    }
}
