package dev.latchkey.auth.jwt;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The key ring in use, which can be replaced while signers and verifiers work with it.
 *
 * <p>A replacement is one atomic step: a token is signed or verified wholly under the old ring or wholly under the new one. A ring that is refused
 * leaves the old one in use. Closed keys are left out of a ring that is taken into use. A key may be closed once its ring was replaced: no signature
 * fails by that.
 *
 * <p>A dropped key never comes back while this object lives. A later ring that contains the key is taken into use without the key. A later ring that
 * signs with the key is refused. The key is known by the SHA-256 digest of its bytes, so another id, another algorithm or a closed copy change nothing.
 *
 * <p>Safe for use by any number of threads.
 */
public final class RotatingKeys {

    private record Current(KeyRing ring, long version) {}

    /** The digests of dropped keys; guarded by this object's lock. */
    private final Set<String> dropped = new HashSet<>();

    private volatile Current current;

    private RotatingKeys(KeyRing ring) {
        this.current = new Current(ring, 0);
    }

    /**
     * Keys of which this ring is the first.
     *
     * @param ring stays as it is; it is the first that is replaced
     * @return keys that signers and verifiers follow
     * @throws IllegalArgumentException if the key that signs was closed
     */
    public static RotatingKeys startingWith(KeyRing ring) {
        return new RotatingKeys(ring.withoutClosed());
    }

    /**
     * Keys of which this one signs first.
     *
     * @param signingKey the one key of a new ring
     * @return keys that signers and verifiers follow
     * @throws IllegalArgumentException if the key was closed
     */
    public static RotatingKeys startingWith(HmacKey signingKey) {
        return startingWith(KeyRing.of(signingKey));
    }

    /**
     * The ring that is in use now.
     *
     * @return a ring that does not change; the next call may return another one
     */
    public KeyRing ring() {
        return current.ring;
    }

    /**
     * A number that grows with each replacement. Whoever caches verified tokens drops them when it changes.
     *
     * @return zero or more; equal numbers mean the same ring
     */
    public long version() {
        return current.version;
    }

    /**
     * Replaces the ring.
     *
     * @param ring signs and verifies as soon as this returns, without its closed and dropped keys
     * @throws IllegalArgumentException if the key that signs in the new ring was closed or dropped; the old ring stays in use
     */
    public synchronized void replaceWith(KeyRing ring) {
        if (hasDropped(ring.signingKey())) {
            throw new IllegalArgumentException("A key that was dropped never signs again; sign with another key");
        }
        current = new Current(ring.withoutClosed().withoutAll(dropped), current.version + 1);
    }

    /**
     * Replaces the ring, and drops each key of the old ring that the new ring lacks.
     *
     * @param ring as for {@link #replaceWith}
     * @throws IllegalArgumentException as {@link #replaceWith} does; the old ring stays in use, and no key is dropped
     */
    public synchronized void replaceAndDrop(KeyRing ring) {
        Set<String> gone = digestsOf(current.ring);
        gone.removeAll(digestsOf(ring));
        replaceWith(ring);
        dropped.addAll(gone);
    }

    /**
     * Whether a key was dropped, here and since this object was made.
     *
     * @param key with any id and algorithm, or closed
     * @return {@code true} if no ring will contain the key again
     */
    public synchronized boolean hasDropped(HmacKey key) {
        return dropped.contains(key.digest());
    }

    /**
     * Replaces the ring by the one that the source makes, by reading a file again for instance. If the source throws, the old ring stays in use and the
     * exception is passed on.
     *
     * @param source is run once, on the calling thread
     */
    public void replaceFrom(Supplier<KeyRing> source) {
        replaceWith(source.get());
    }

    /**
     * Signs with this key from now on; the key that signed so far verifies until the date given, and the others until
     * theirs. Keys whose date has passed are dropped, and so is an earlier one with the same bytes as the new one.
     *
     * @param signingKey with another id than the keys that stay, or with none
     * @param previousUntil from this instant on the key that signed so far verifies nothing: the latest {@code exp} that it signed is the natural end
     * @param now the present, by the clock that the date refers to
     * @throws IllegalArgumentException as {@link KeyRing#alsoVerifying} does; the old ring stays in use
     */
    public synchronized void rotateTo(HmacKey signingKey, Instant previousUntil, Instant now) {
        HmacKey previous = current.ring.signingKey();
        KeyRing next = KeyRing.of(signingKey);
        for (KeyRing.Entry entry : current.ring.entries()) {
            Instant until = entry.key() == previous ? previousUntil : entry.until();
            if (until.isAfter(now) && !entry.key().isSameKeyAs(signingKey)) {
                next = next.alsoVerifying(entry.key(), until);
            }
        }
        replaceWith(next);
    }

    /**
     * Signs with this key from now on, and drops the key that signed so far: for a key that has leaked. Its tokens are refused from this call on,
     * whatever their {@code exp}. The other keys verify until their dates; one of those is dropped by {@code replaceAndDrop(ring().without(key))}.
     *
     * @param signingKey another key than the one that signed so far
     * @throws IllegalArgumentException if the key was closed, is the one to drop or was dropped before, or has the id of another one that stays; the old
     *     ring stays in use
     */
    public synchronized void rotateAndDrop(HmacKey signingKey) {
        HmacKey leaked = current.ring.signingKey();
        if (signingKey.hasSameBytesAs(leaked)) {
            throw new IllegalArgumentException("The key that signs now is the one to drop; rotate to another one");
        }
        KeyRing next = KeyRing.of(signingKey);
        for (KeyRing.Entry entry : current.ring.entries()) {
            if (!entry.key().hasSameBytesAs(leaked) && !entry.key().isSameKeyAs(signingKey)) {
                next = next.alsoVerifying(entry.key(), entry.until());
            }
        }
        replaceWith(next);
        dropped.add(leaked.digest());
    }

    private static Set<String> digestsOf(KeyRing ring) {
        return ring.entries().stream()
                .map(entry -> entry.key().digest())
                .collect(Collectors.toCollection(HashSet::new));
    }
}
