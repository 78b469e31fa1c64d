package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.password.HashInfo;
import dev.latchkey.auth.password.HashInfo.Standing;
import dev.latchkey.auth.password.PasswordEncoders;
import dev.latchkey.auth.password.hash.BouncyCastle;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The encoders of a service without Bouncy Castle. The first stored argon2 or scrypt hash is a warning in the log. A warning at
 * the start would reach every service with bcrypt, and most of them have no such hash. Thread-safe.
 */
final class WithoutBouncyCastle implements PasswordEncoder {

    private static final Logger LOG = LoggerFactory.getLogger(WithoutBouncyCastle.class);

    private static final Set<String> NEED_THE_LIBRARY = Set.of("argon2", "scrypt");

    private final PasswordEncoders encoders;
    private final AtomicBoolean isSaid = new AtomicBoolean();

    WithoutBouncyCastle(PasswordEncoders encoders) {
        this.encoders = encoders;
    }

    @Override
    public String encode(@Nullable CharSequence rawPassword) {
        return encoders.encode(rawPassword);
    }

    @Override
    public boolean matches(@Nullable CharSequence rawPassword, @Nullable String encodedPassword) {
        boolean matches = encoders.matches(rawPassword, encodedPassword);
        if (!matches && !isSaid.get()) {
            lookAt(encoders.identify(encodedPassword));
        }
        return matches;
    }

    private void lookAt(HashInfo stored) {
        if (stored.standing() == Standing.REFUSED
                && NEED_THE_LIBRARY.contains(stored.algorithm())
                && !isSaid.getAndSet(true)) {
            LOG.warn(
                    "A stored password hash is of {}, and matches no password without {}: add this dependency to the service",
                    stored.algorithm(),
                    BouncyCastle.ARTIFACT);
        }
    }

    @Override
    public boolean upgradeEncoding(@Nullable String encodedPassword) {
        return encoders.upgradeEncoding(encodedPassword);
    }

    @Override
    public String toString() {
        return encoders.toString();
    }
}
