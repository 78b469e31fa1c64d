package dev.latchkey.auth.spring;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * An encoder whose hashes are computed by the pool, for what asks it on a {@link GuardedRequest}; for all else it is the delegate.
 *
 * <p>In front of the credential cache, so that a hit is answered on the spot and passes every limit.
 */
final class GuardedEncoder implements PasswordEncoder {

    /** What Spring Security's provider makes its dummy hash from, once, when it is first asked. */
    private static final String DUMMY = "userNotFoundPassword";

    /** Stands where a stored hash would, in the question that has none. */
    private static final String NO_ACCOUNT = "no account";

    private final PasswordEncoder delegate;
    private final @Nullable CachingPasswordEncoder caching;

    private final UnknownUserWork unknownUserWork;

    /** One for all requests that find none yet, or a service that starts under load would be kept busy by dummies. */
    @Nullable
    private CompletableFuture<String> dummy;

    /** What the last hash that was made allocates: the next one will most likely have the same parameters. */
    private volatile long memoryOfNewHashes;

    GuardedEncoder(PasswordEncoder delegate) {
        this.delegate = delegate;
        this.caching = CachingEncoderPostProcessor.cachingOf(delegate).orElse(null);
        this.unknownUserWork = new UnknownUserWork(caching == null ? delegate : caching, System::nanoTime);
    }

    @Override
    public boolean matches(CharSequence rawPassword, String encodedPassword) {
        GuardedRequest request = GuardedRequest.current();
        if (request == null || request.isHashing()) {
            return unknownUserWork.matches(rawPassword, encodedPassword, delegate);
        }
        return this.<Boolean>known(request, rawPassword, encodedPassword)
                .or(() -> atOnce(rawPassword, encodedPassword))
                .orElseGet(() -> check(request, new HashingKey(this, rawPassword, encodedPassword), encodedPassword));
    }

    /** With the key's copy of the password: the caller may wipe what it handed in before a thread of the pool comes to it. */
    private boolean check(GuardedRequest request, HashingKey key, String storedHash) {
        return request.get(
                key,
                () -> request.check(
                        HashingMemory.of(storedHash),
                        () -> key.presented().withText(text -> unknownUserWork.matches(text, storedHash, delegate))));
    }

    /**
     * Spends what the check of a password costs, where there is no hash to check it against; always {@code false}, and counted by
     * the limits as a wrong password.
     *
     * <p>It is the same question in every pass of a request, so each request spends one hash, whatever others learn meanwhile.
     */
    boolean spendAHash() {
        GuardedRequest request = GuardedRequest.current();
        if (request == null || request.isHashing()) {
            return unknownUserWork.spend();
        }
        HashingKey key = new HashingKey(this, "", NO_ACCOUNT);
        return request.<Boolean>known(key)
                .orElseGet(() ->
                        request.get(key, () -> request.check(unknownUserWork.memoryBytes(), unknownUserWork::spend)));
    }

    @Override
    public String encode(CharSequence rawPassword) {
        GuardedRequest request = GuardedRequest.current();
        if (request == null || rawPassword == null || request.isHashing()) {
            return delegate.encode(rawPassword);
        }
        HashingKey key = new HashingKey(this, rawPassword, null);
        boolean isDummy = DUMMY.contentEquals(rawPassword);
        return request.<String>known(key)
                .orElseGet(() -> request.get(
                        key,
                        () -> isDummy
                                ? dummy(request)
                                : request.compute(
                                        memoryOfNewHashes, () -> key.presented().withText(this::encoded))));
    }

    private String encoded(CharSequence rawPassword) {
        String hash = delegate.encode(rawPassword);
        memoryOfNewHashes = hash == null ? 0 : HashingMemory.of(hash);
        return hash;
    }

    @Override
    public boolean upgradeEncoding(String encodedPassword) {
        return delegate.upgradeEncoding(encodedPassword);
    }

    private <T> Optional<T> known(GuardedRequest request, CharSequence rawPassword, @Nullable String storedHash) {
        return rawPassword != null && request.isRepeated()
                ? request.known(new HashingKey(this, rawPassword, storedHash))
                : Optional.empty();
    }

    /** The answer where it takes no hash. */
    private Optional<Boolean> atOnce(CharSequence rawPassword, String encodedPassword) {
        if (rawPassword == null || encodedPassword == null || HashingMemory.isNoHash(encodedPassword)) {
            return Optional.of(delegate.matches(rawPassword, encodedPassword));
        }
        return caching == null ? Optional.empty() : caching.matchesAtOnce(rawPassword, encodedPassword);
    }

    private synchronized CompletableFuture<String> dummy(GuardedRequest request) {
        if (dummy == null || dummy.isCompletedExceptionally()) {
            dummy = request.compute(memoryOfNewHashes, () -> encoded(DUMMY));
        }
        // A copy: who tires of waiting must not end it for the others.
        return dummy.copy();
    }
}
