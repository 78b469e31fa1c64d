package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.spring.http.CurrentRequest;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The encoder that computes hashes, behind permits, on the calling thread. The thread waits for a permit.
 *
 * <p>A request thread waits for the maximum time of a request, and is then rejected as an overload. Any other thread, such as a
 * job with a thousand passwords, waits without a limit.
 */
final class HashingEncoder implements PasswordEncoder {

    private static final CurrentLogin.Part<Boolean> SPENDING = new CurrentLogin.Part<>();

    private final PasswordEncoder delegate;
    private final @Nullable HashingPermits permits;
    private final BooleanSupplier leavesRoom;
    private final UnknownUserWork unknownUserWork;

    /** The memory of the last new hash, as an estimate: the next hash most likely has the same parameters. */
    private volatile long memoryOfNewHashes;

    /**
     * @param permits null for none: every hash begins at once
     * @param leavesRoom whether the calling thread's login leaves room for others
     */
    HashingEncoder(PasswordEncoder delegate, @Nullable HashingPermits permits, BooleanSupplier leavesRoom) {
        this.delegate = delegate;
        this.permits = permits;
        this.leavesRoom = leavesRoom;
        this.unknownUserWork = new UnknownUserWork(delegate, System::nanoTime);
    }

    /** Whether the service's own encoder is already a cache. */
    boolean isCached() {
        return delegate instanceof CachingPasswordEncoder;
    }

    @Override
    public String encode(CharSequence rawPassword) {
        String hash = compute(memoryOfNewHashes, () -> delegate.encode(rawPassword));
        if (hash != null) {
            memoryOfNewHashes = HashingMemory.of(hash);
        }
        return hash;
    }

    @Override
    public boolean matches(CharSequence rawPassword, String encodedPassword) {
        if (encodedPassword == null || HashingMemory.isPlaceholder(encodedPassword)) {
            // Encoders reject a placeholder without a hash, and the time would reveal the account.
            return compute(0, () -> matchesPlaceholder(rawPassword, encodedPassword)) || spend(rawPassword);
        }
        if (HashingMemory.isNoHash(encodedPassword)) {
            return delegate.matches(rawPassword, encodedPassword);
        }
        return compute(HashingMemory.of(encodedPassword), () -> unknownUserWork.matches(rawPassword, encodedPassword));
    }

    /** Spring Boot's default encoder rejects a text without an id of an encoder by an exception. */
    private boolean matchesPlaceholder(CharSequence rawPassword, @Nullable String placeholder) {
        try {
            return unknownUserWork.matches(rawPassword, placeholder);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The estimated memory of the next {@link #matches} with this stored text. */
    long memoryOfMatching(String encodedPassword) {
        return HashingMemory.isPlaceholder(encodedPassword) ? memoryOfSpending() : HashingMemory.of(encodedPassword);
    }

    /** Whether a check against this hash would begin at once. */
    boolean beginsAtOnce(String storedHash) {
        return permits == null || permits.isFree(HashingMemory.of(storedHash));
    }

    /** Computes a hash without a stored hash, for an unknown name; always {@code false}. */
    boolean spend(@Nullable CharSequence rawPassword) {
        return CurrentLogin.here()
                .with(SPENDING, true)
                .supply(() -> compute(unknownUserWork.memoryBytes(), () -> unknownUserWork.spend(rawPassword)));
    }

    /**
     * Whether the calling thread computes a hash for an unknown name. The service's encoder may ask another encoder of logins. The
     * other encoder then compares with the hash of an account that is not meant.
     */
    static boolean isSpending() {
        return CurrentLogin.here().get(SPENDING) != null;
    }

    /** The estimated memory of the next {@link #spend}, from the last hash. */
    long memoryOfSpending() {
        return unknownUserWork.memoryBytes();
    }

    /** The estimated memory of the next new hash, from the last hash. */
    long memoryOfEncoding() {
        return memoryOfNewHashes;
    }

    @Override
    public boolean upgradeEncoding(String encodedPassword) {
        return delegate.upgradeEncoding(encodedPassword);
    }

    /** @throws AuthUnavailableException if a request would wait for too long */
    private <T> T compute(long memoryBytes, Callable<T> hash) {
        try {
            if (permits == null) {
                return hash.call();
            }
            return CurrentRequest.hasSource()
                    ? permits.call(memoryBytes, leavesRoom.getAsBoolean(), hash)
                    : permits.callPatiently(memoryBytes, hash);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("An encoder threw an exception that it cannot declare", e);
        }
    }
}
