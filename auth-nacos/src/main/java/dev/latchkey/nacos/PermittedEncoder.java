package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Compares a password after getting a permit to hash. If the permit is refused, the current call notes the missing hash.
 * The memory of bcrypt is negligible.
 */
final class PermittedEncoder implements PasswordEncoder {

    private final PasswordEncoder delegate;
    private final HashingPermits permits;

    PermittedEncoder(PasswordEncoder delegate, HashingPermits permits) {
        this.delegate = delegate;
        this.permits = permits;
    }

    @Override
    public boolean matches(CharSequence rawPassword, String encodedPassword) {
        try {
            return permits.call(0, () -> delegate.matches(rawPassword, encodedPassword));
        } catch (AuthUnavailableException e) {
            if (e.kind() == AuthUnavailableException.Kind.OVERLOAD) {
                CurrentCall.get().ifPresent(CurrentCall::foundNoHash);
            }
            throw e;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("An encoder threw an exception that it cannot declare", e);
        }
    }

    /** Whether a comparison would start at once. */
    boolean beginsAtOnce() {
        return permits.isFree(0);
    }

    @Override
    public String encode(CharSequence rawPassword) {
        return delegate.encode(rawPassword);
    }
}
