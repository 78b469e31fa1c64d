package dev.latchkey.auth.jwt;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The current keys. One key signs and verifies. Each other key only verifies, until its end date.
 *
 * <p>A new ring never contains a closed key. If a key of a ring is closed later, the key verifies nothing from then on.
 *
 * <p>Immutable: {@link RotatingKeys} replaces a ring as a whole. A {@code kid} alone does not choose the key. If a token
 * has exactly the header that this library writes for a key with an id, only this key is tried. Any other token is tried
 * with each key of the right MAC length. Therefore the size of a ring is limited.
 */
public final class KeyRing {

    /** The largest number of keys in a ring. A forged token costs at most this many MACs. */
    public static final int MAX_KEYS = 16;

    /**
     * A key of the ring.
     *
     * @param until the end of verification; {@link Instant#MAX} for the signing key
     */
    public record Entry(HmacKey key, Instant until) {}

    private final HmacKey signingKey;
    private final List<Entry> entries;

    private KeyRing(HmacKey signingKey, List<Entry> entries) {
        this.signingKey = signingKey;
        this.entries = entries;
    }

    /**
     * Creates a ring with one key.
     *
     * @param signingKey signs, and verifies without an end date
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
     * Returns a copy with one more key that verifies and never signs. The copy contains no closed keys: a closed new key
     * is not added.
     *
     * @param key an earlier signing key, or another issuer's key
     * @param until the end of verification; usually the latest {@code exp} signed by the key
     * @return a changed copy
     * @throws IllegalArgumentException if the signing key was closed, another key of the ring has the same id, or the
     *     ring is full
     */
    public KeyRing alsoVerifying(HmacKey key, Instant until) {
        Objects.requireNonNull(until, "until");
        KeyRing open = withoutClosed();
        return key.isClosed() ? open : open.and(new Entry(key, until));
    }

    /**
     * Returns a copy without this key. The new ring accepts no token of the removed key.
     *
     * @param key compared by {@link HmacKey#hasSameBytesAs}; may be closed
     * @return a changed copy
     * @throws IllegalArgumentException if the key is the signing key, or the signing key was closed
     */
    public KeyRing without(HmacKey key) {
        if (signingKey.hasSameBytesAs(key)) {
            throw new IllegalArgumentException(
                    "The key that signs cannot be left out of its ring; rotate to another one");
        }
        return keeping(other -> !other.hasSameBytesAs(key));
    }

    /** @throws IllegalArgumentException if the signing key was closed */
    KeyRing withoutClosed() {
        return entries.stream().anyMatch(entry -> entry.key().isClosed()) ? keeping(key -> true) : this;
    }

    /** This ring without the keys of these digests. The signing key must have none of these digests. */
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
     * The signing key.
     *
     * @return a key without an end date, possibly closed meanwhile
     */
    public HmacKey signingKey() {
        return signingKey;
    }

    /**
     * The number of keys, including the signing key.
     *
     * @return 1 or more
     */
    public int size() {
        return entries.size();
    }

    /**
     * All keys, the signing key first; unmodifiable.
     *
     * @return each key with the end of its verification
     */
    public List<Entry> entries() {
        return entries;
    }

    /**
     * The keys for a report. Files of a service may hold the same key; this list has the key once.
     *
     * @return the signing key first; each other key with its latest end
     */
    public List<Entry> distinctKeys() {
        Map<String, Entry> byDigest = new LinkedHashMap<>();
        for (Entry entry : entries) {
            byDigest.merge(
                    entry.key().digest(), entry, (one, other) -> one.until().isBefore(other.until()) ? other : one);
        }
        return List.copyOf(byDigest.values());
    }

    @Override
    public String toString() {
        return "KeyRing[signing=" + signingKey + ", keys=" + entries.size() + "]";
    }
}
