package dev.latchkey.auth.jwt;

import java.time.Instant;
import java.util.function.Supplier;

/**
 * The key ring in use, which can be replaced while signers and verifiers work with it.
 *
 * <p>A replacement is one atomic step: a token is signed or verified wholly under the old ring or wholly under the new one. A
 * ring that is refused leaves the old one in use. Safe for use by any number of threads.
 */
public final class RotatingKeys {

    private record Current(KeyRing ring, long version) {}

    private volatile Current current;

    private RotatingKeys(KeyRing ring) {
        this.current = new Current(ring, 0);
    }

    public static RotatingKeys startingWith(KeyRing ring) {
        ring.requireOpen();
        return new RotatingKeys(ring);
    }

    public static RotatingKeys startingWith(HmacKey signingKey) {
        return startingWith(KeyRing.of(signingKey));
    }

    public KeyRing ring() {
        return current.ring;
    }

    /** Grows with each replacement: what was concluded from a token under one version is to be forgotten under the next. */
    public long version() {
        return current.version;
    }

    /**
     * Replaces the ring.
     *
     * @throws IllegalArgumentException if a key of the new ring was closed; the old ring stays in use
     */
    public synchronized void replaceWith(KeyRing ring) {
        ring.requireOpen();
        current = new Current(ring, current.version + 1);
    }

    /**
     * Replaces the ring by what the source gives, a file read again say; whatever the source throws, the old ring stays in
     * use and the caller gets the exception.
     */
    public void replaceFrom(Supplier<KeyRing> source) {
        replaceWith(source.get());
    }

    /**
     * Signs with this key from now on; the key that signed so far verifies until the date given, and the others until
     * theirs. Keys whose date has passed are dropped, and so is an earlier one with the same bytes as the new one.
     *
     * @param now the present, by the clock that the date refers to
     * @throws IllegalArgumentException as {@link KeyRing#alsoVerifying} does; the old ring stays in use
     */
    public synchronized void rotateTo(HmacKey signingKey, Instant previousUntil, Instant now) {
        KeyRing next = KeyRing.of(signingKey);
        for (KeyRing.Entry entry : current.ring.entries()) {
            Instant until = entry.key() == current.ring.signingKey() ? previousUntil : entry.until();
            if (until.isAfter(now) && !entry.key().isSameKeyAs(signingKey)) {
                next = next.alsoVerifying(entry.key(), until);
            }
        }
        replaceWith(next);
    }
}
