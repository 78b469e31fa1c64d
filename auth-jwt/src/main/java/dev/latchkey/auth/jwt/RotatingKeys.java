package dev.latchkey.auth.jwt;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The current key ring, which can be replaced during signing and verifying.
 *
 * <p>A replacement is one atomic step: a token is signed or verified with the old ring or with the new ring, never with
 * both. A rejected ring leaves the old ring in use. The closed keys of a new ring are left out. After another key has
 * become the signing key, the old key may be closed: no signature fails.
 *
 * <p>A dropped key never returns during the life of this object. A later ring that contains the key is used without the
 * key. A later ring that signs with the key is rejected. The SHA-256 digest of its bytes identifies the key, also with
 * another id, with another algorithm, or in a closed copy.
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
     * Starts with this ring.
     *
     * @param ring the first ring; the object itself does not change
     * @return keys for signers and verifiers
     * @throws IllegalArgumentException if the signing key was closed
     */
    public static RotatingKeys startingWith(KeyRing ring) {
        return new RotatingKeys(ring.withoutClosed());
    }

    /**
     * Starts with a ring of one key.
     *
     * @param signingKey the only key of the first ring
     * @return keys for signers and verifiers
     * @throws IllegalArgumentException if the key was closed
     */
    public static RotatingKeys startingWith(HmacKey signingKey) {
        return startingWith(KeyRing.of(signingKey));
    }

    /**
     * The current ring.
     *
     * @return an immutable ring; the next call may return another ring
     */
    public KeyRing ring() {
        return current.ring;
    }

    /**
     * A number that grows with each replacement. A cache of verified tokens must drop its entries after a change.
     *
     * @return zero or more; equal numbers mean the same ring
     */
    public long version() {
        return current.version;
    }

    /**
     * Replaces the ring.
     *
     * @param ring signs and verifies after this call, without its closed and dropped keys
     * @throws IllegalArgumentException if the new signing key was closed or dropped; the old ring stays in use
     */
    public synchronized void replaceWith(KeyRing ring) {
        if (hasDropped(ring.signingKey())) {
            throw new IllegalArgumentException("A key that was dropped never signs again; sign with another key");
        }
        current = new Current(ring.withoutClosed().withoutAll(dropped), current.version + 1);
    }

    /**
     * Replaces the ring, and drops each key of the old ring that is missing in the new ring.
     *
     * @param ring as for {@link #replaceWith}
     * @throws IllegalArgumentException as for {@link #replaceWith}; the old ring stays in use, and no key is dropped
     */
    public synchronized void replaceAndDrop(KeyRing ring) {
        Set<String> gone = digestsOf(current.ring);
        gone.removeAll(digestsOf(ring));
        replaceWith(ring);
        dropped.addAll(gone);
    }

    /**
     * Whether a key was dropped from this object.
     *
     * @param key with any id and algorithm, or closed
     * @return {@code true} if no ring will contain the key again
     */
    public synchronized boolean hasDropped(HmacKey key) {
        return dropped.contains(key.digest());
    }

    /**
     * Signs with this key from now on. The previous signing key verifies until the given date, and the other keys until
     * their dates. Keys with a past date are dropped. An earlier key with the same bytes as the new key is dropped too.
     *
     * @param signingKey without an id, or with an id that no other remaining key has
     * @param previousUntil the end of verification for the previous signing key; normally the latest {@code exp} signed
     *     by that key
     * @param now the current time
     * @throws IllegalArgumentException as for {@link KeyRing#alsoVerifying}; the old ring stays in use
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
     * Signs with this key from now on, and drops the previous signing key. Use this method for a leaked key. The leaked
     * key's tokens are rejected after this call, with any {@code exp}. The other keys verify until their dates; to drop
     * one of them, call {@code replaceAndDrop(ring().without(key))}.
     *
     * @param signingKey must differ from the previous signing key
     * @throws IllegalArgumentException if the key was closed, equals the dropped key, was dropped before, or has the id
     *     of another remaining key; the old ring stays in use
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
