package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.spring.http.RequestSource;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The encoder that really hashes, behind permits: on the thread that asks, which waits for its permit.
 *
 * <p>A thread that answers a request waits for as long as a request may, and is then refused as an overload. Another one, a job that stores
 * a thousand passwords say, waits for as long as it takes.
 */
final class HashingEncoder implements PasswordEncoder {

    private final PasswordEncoder delegate;
    private final @Nullable HashingPermits permits;
    private final UnknownUserWork unknownUserWork;

    /** What the last hash that was made allocates: the next one will most likely have the same parameters. */
    private volatile long memoryOfNewHashes;

    /** @param permits null for none: every hash begins at once */
    HashingEncoder(PasswordEncoder delegate, @Nullable HashingPermits permits) {
        this.delegate = delegate;
        this.permits = permits;
        this.unknownUserWork = new UnknownUserWork(delegate, System::nanoTime);
    }

    /** Whether the service has put this encoder behind a cache of its own. */
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
        if (encodedPassword == null || HashingMemory.isNoHash(encodedPassword)) {
            return delegate.matches(rawPassword, encodedPassword);
        }
        return compute(HashingMemory.of(encodedPassword), () -> unknownUserWork.matches(rawPassword, encodedPassword));
    }

    /** Whether the check of a password against this hash would begin at once. */
    boolean beginsAtOnce(String storedHash) {
        return permits == null || permits.isFree(HashingMemory.of(storedHash));
    }

    /** Spends what the check of this password costs, where there is no hash to check it against; always {@code false}. */
    boolean spend(@Nullable CharSequence rawPassword) {
        return compute(unknownUserWork.memoryBytes(), () -> unknownUserWork.spend(rawPassword));
    }

    /** What the next {@link #spend} allocates, as far as the last hash tells. */
    long memoryOfSpending() {
        return unknownUserWork.memoryBytes();
    }

    /** What the next hash that is made allocates, as far as the last one tells. */
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
            return RequestSource.isBound() ? permits.call(memoryBytes, hash) : permits.callPatiently(memoryBytes, hash);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("An encoder threw an exception that it cannot declare", e);
        }
    }
}
