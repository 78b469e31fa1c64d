package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Encoders of logins without a service around them, for tests of other packages. */
public final class TestLoginEncoders {

    private TestLoginEncoders() {}

    /** With nothing in front of the encoder. */
    public static LoginEncoder around(PasswordEncoder encoder) {
        return around(encoder, null, null, null);
    }

    /** With what is given in front of the encoder, and without a budget of hashes. */
    public static LoginEncoder around(
            PasswordEncoder encoder,
            @Nullable CredentialCache cache,
            @Nullable HashingPermits permits,
            @Nullable LoginLimitGate logins) {
        return LoginEncoder.around(encoder, cache, permits, logins, null);
    }

    /** What stands before the encoder of a service. */
    public static Optional<LoginEncoder> before(PasswordEncoder encoder) {
        return LoginEncoders.of(encoder);
    }
}
