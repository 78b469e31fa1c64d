package dev.latchkey.auth.spring.password;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The hash that is computed for a name that no account has, so that its answer takes as long as that to a wrong password.
 *
 * <p>An account's stored hash decides what its check costs, and not the encoder's present settings. So a random password is matched against a stored
 * hash: of those that a right password was matched against lately, the one that took longest. Where the accounts' hashes cost alike, nothing tells
 * who exists. Only right passwords count: they prove that the hash is a whole one, where a damaged one is refused in no time. Before the first right
 * password there is no such hash, and one is made instead.
 *
 * <p>The random password is new each time, and no cache stands before this: nothing that a stranger sends can be a hit here, and no two strangers
 * share one hash. Safe for use by any number of threads.
 */
final class UnknownUserWork {

    private static final int RANDOM_BYTES = 16;

    private final PasswordEncoder encoder;
    private final LongSupplier nanos;
    private final SecureRandom random = new SecureRandom();
    private volatile @Nullable Sample sample;
    private volatile long memoryBytes;
    private @Nullable String ofNobody;

    /** @param encoder that hashes, with no cache before it */
    UnknownUserWork(PasswordEncoder encoder, LongSupplier nanos) {
        this.encoder = encoder;
        this.nanos = nanos;
    }

    /** As the encoder answers; takes note of what a right password's hash cost. */
    boolean matches(@Nullable CharSequence password, @Nullable String storedHash) {
        long begun = nanos.getAsLong();
        boolean matches = encoder.matches(password, storedHash);
        if (matches && storedHash != null) {
            replaceIfCheaper(storedHash, nanos.getAsLong() - begun);
        }
        return matches;
    }

    /**
     * Computes a hash, and is always {@code false}. An empty password stays one: many encoders refuse it without a hash, and an
     * unknown name must not be told apart by paying one.
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

    /** For empty passwords before any right one was seen. */
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

    /** What the next {@link #spend} allocates, as far as the last hash tells. */
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

    /** No record: a record prints its components. */
    private static final class Sample {

        private final String storedHash;

        /** Whatever else takes time only adds to what a hash costs, so a pause at the first measurement does not last. */
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
