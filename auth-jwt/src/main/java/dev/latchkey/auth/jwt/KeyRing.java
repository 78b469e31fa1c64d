package dev.latchkey.auth.jwt;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The keys in use at one moment. One key signs and verifies; each of the others only verifies, until its end date.
 *
 * <p>A closed key is never part of a new ring. A key of a ring that is closed later verifies nothing from then on.
 *
 * <p>Immutable, so it is replaced as a whole: see {@link RotatingKeys}. A token's {@code kid} does not choose the key. A token with exactly the header
 * that a key of the ring writes is checked with the keys that write it. A token of another library is checked with each key whose MAC has the right
 * length, which is why a ring is bounded.
 */
public final class KeyRing {

    /** The most keys that a ring may hold. Checking a forged token costs at most this many MACs. */
    public static final int MAX_KEYS = 16;

    /**
     * A key of the ring.
     *
     * @param until when it stops verifying; {@link Instant#MAX} for the key that signs
     */
    public record Entry(HmacKey key, Instant until) {}

    private final HmacKey signingKey;
    private final List<Entry> entries;

    private KeyRing(HmacKey signingKey, List<Entry> entries) {
        this.signingKey = signingKey;
        this.entries = entries;
    }

    /**
     * A ring of the key that signs.
     *
     * @param signingKey signs, and verifies without a date
     * @return a ring of one key
     * @throws IllegalArgumentException if the key was closed
     */
    public static KeyRing of(HmacKey signingKey) {
        if (signingKey.isClosed()) {
            throw new IllegalArgumentException("A closed key signs nothing, so a key ring cannot sign with it");
        }
        return new KeyRing(signingKey, List.of(new Entry(signingKey, Instant.MAX)));
    }

    /**
     * This ring with one more key that verifies, and never signs; closed keys are left out, this one as well.
     *
     * @param key may be one that signed before, or another issuer's
     * @param until when the key stops verifying; usually the latest {@code exp} that it signed
     * @return another ring; this one stays as it is
     * @throws IllegalArgumentException if the key that signs was closed, another key of the ring has the same id, or the ring is full
     */
    public KeyRing alsoVerifying(HmacKey key, Instant until) {
        Objects.requireNonNull(until, "until");
        KeyRing open = withoutClosed();
        return key.isClosed() ? open : open.and(new Entry(key, until));
    }

    /**
     * This ring without this key, whatever its id: nothing that it signed is accepted under the ring that is returned.
     *
     * @param key compared by {@link HmacKey#isSameKeyAs}
     * @return another ring; this one stays as it is
     * @throws IllegalArgumentException if it is the key that signs, or that one was closed
     */
    public KeyRing without(HmacKey key) {
        if (signingKey.isSameKeyAs(key)) {
            throw new IllegalArgumentException(
                    "The key that signs cannot be left out of its ring; rotate to another one");
        }
        return keeping(other -> !other.isSameKeyAs(key));
    }

    /** @throws IllegalArgumentException if the key that signs was closed */
    KeyRing withoutClosed() {
        return entries.stream().anyMatch(entry -> entry.key().isClosed()) ? keeping(key -> true) : this;
    }

    /** This ring without the keys of these digests; its signing key is none of them. */
    KeyRing withoutAll(Set<String> digests) {
        return entries.stream().anyMatch(entry -> digests.contains(entry.key().digest()))
                ? keeping(key -> !digests.contains(key.digest()))
                : this;
    }

    private KeyRing keeping(Predicate<HmacKey> others) {
        KeyRing kept = of(signingKey);
        for (Entry entry : entries.subList(1, entries.size())) {
            if (!entry.key().isClosed() && others.test(entry.key())) {
                kept = kept.and(entry);
            }
        }
        return kept;
    }

    private KeyRing and(Entry added) {
        Optional<String> id = added.key().id();
        if (id.isPresent()
                && entries.stream().anyMatch(entry -> entry.key().id().equals(id))) {
            throw new IllegalArgumentException(
                    "Two keys of a ring must not have the same id; '" + id.get() + "' is there twice");
        }
        if (entries.size() == MAX_KEYS) {
            throw new IllegalArgumentException("A key ring holds at most " + MAX_KEYS + " keys");
        }
        List<Entry> more = new ArrayList<>(entries);
        more.add(added);
        return new KeyRing(signingKey, List.copyOf(more));
    }

    /**
     * The key that signs.
     *
     * @return a key without a date, which may have been closed meanwhile
     */
    public HmacKey signingKey() {
        return signingKey;
    }

    /**
     * How many keys it holds, with the one that signs.
     *
     * @return 1 or more
     */
    public int size() {
        return entries.size();
    }

    /**
     * All keys, the one that signs first; unmodifiable.
     *
     * @return one for each key, with the date until which it verifies
     */
    public List<Entry> entries() {
        return entries;
    }

    @Override
    public String toString() {
        return "KeyRing[signing=" + signingKey + ", keys=" + entries.size() + "]";
    }
}
