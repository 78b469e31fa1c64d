package dev.latchkey.auth.spring.password;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Computes a hash for an unknown name, so that the answer takes as long as for a wrong password.
 *
 * <p>The cost of a check depends on an account's stored hash, and not on the encoder's present settings. So a random password is
 * matched against a real stored hash: of the recently matched hashes, the slowest. If the accounts' hashes have equal cost, the
 * time does not reveal accounts. Only right passwords count, because a right password proves a complete hash; a damaged hash is
 * rejected without work. Before the first right password there is no such hash, and a new hash is computed instead.
 *
 * <p>The random password is new each time, without a cache: no input of an unauthenticated caller can be a cache hit, and two
 * callers never share a hash. Safe for use by any number of threads.
 */
final class UnknownUserWork {

    private static final int RANDOM_BYTES = 16;

    private final PasswordEncoder encoder;
    private final LongSupplier nanos;
    private final SecureRandom random = new SecureRandom();
    private volatile @Nullable Sample sample;
    private volatile long memoryBytes;
    private @Nullable String ofNobody;

    /**
     * @param encoder computes the hashes, without a cache before the encoder
     */
    UnknownUserWork(PasswordEncoder encoder, LongSupplier nanos) {
        this.encoder = encoder;
        this.nanos = nanos;
    }

    /** The encoder's result. Records the time of a right password's hash. */
    boolean matches(@Nullable CharSequence password, @Nullable String storedHash) {
        long begun = nanos.getAsLong();
        boolean matches = encoder.matches(password, storedHash);
        if (matches && storedHash != null) {
            replaceIfCheaper(storedHash, nanos.getAsLong() - begun);
        }
        return matches;
    }

    /**
     * Computes a hash, and is always {@code false}. An empty password remains empty: many encoders reject an empty password
     * without a hash, and an unknown name must behave alike.
     */
    boolean spend(@Nullable CharSequence presented) {
        Sample last = sample;
        boolean isEmpty = presented == null || presented.length() == 0;
        if (last == null) {
            return isEmpty ? encoder.matches("", hashOfNobody()) : madeAnew();
        }
        long begun = nanos.getAsLong();
        encoder.matches(isEmpty ? "" : randomPassword(), last.storedHash);
        if (isEmpty) {
            return false;
        }
        last.measured(nanos.getAsLong() - begun);
        return false;
    }

    private boolean madeAnew() {
        memoryBytes = HashingMemory.of(encoder.encode(randomPassword()));
        return false;
    }

    /** For empty passwords before the first right password. */
    private synchronized String hashOfNobody() {
        String made = ofNobody;
        if (made == null) {
            made = encoder.encode(randomPassword());
            ofNobody = made;
        }
        return made;
    }

    private String randomPassword() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The estimated memory of the next {@link #spend}, from the last hash. */
    long memoryBytes() {
        return memoryBytes;
    }

    private void replaceIfCheaper(String storedHash, long cost) {
        Sample last = sample;
        if (last == null || cost > last.fastest) {
            sample = new Sample(storedHash, cost);
            memoryBytes = HashingMemory.of(storedHash);
        }
    }

    /** A record would print its components. */
    private static final class Sample {

        private final String storedHash;

        /**
         * Other work only adds to the time of a hash, so the minimum is used. A pause during the first measurement has no lasting
         * effect.
         */
        private volatile long fastest;

        private Sample(String storedHash, long fastest) {
            this.storedHash = storedHash;
            this.fastest = fastest;
        }

        private void measured(long cost) {
            fastest = Math.min(fastest, cost);
        }
    }
}
