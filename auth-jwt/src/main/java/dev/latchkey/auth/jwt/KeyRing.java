package dev.latchkey.auth.jwt;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The keys of one moment: one signs, and it and the others verify, each of the others until its end date.
 *
 * <p>Immutable, so it is replaced as a whole: see {@link RotatingKeys}. A token's {@code kid} chooses nothing here: its MAC is
 * computed under the keys of the ring whose own header it carries, or, for the tokens of another library, under each key of
 * the right length of MAC, which is why a ring is bounded.
 */
public final class KeyRing {

    /** The most keys a ring may hold: what a forged token can cost is this many MACs. */
    public static final int MAX_KEYS = 16;

    /**
     * A key of the ring.
     *
     * @param until from then on it verifies nothing; {@link Instant#MAX} for the key that signs
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
     * @throws IllegalArgumentException if the key was closed
     */
    public static KeyRing of(HmacKey signingKey) {
        requireOpen(signingKey);
        return new KeyRing(signingKey, List.of(new Entry(signingKey, Instant.MAX)));
    }

    /**
     * This ring with one more key that verifies, and never signs.
     *
     * @param until from this instant on the key verifies nothing: the latest {@code exp} that it signed is the natural end
     * @throws IllegalArgumentException if the key was closed, another key of the ring has the same id, or the ring is full
     */
    public KeyRing alsoVerifying(HmacKey key, Instant until) {
        requireOpen(key);
        Objects.requireNonNull(until, "until");
        for (Entry entry : entries) {
            if (key.id().isPresent() && key.id().equals(entry.key().id())) {
                throw new IllegalArgumentException("Two keys of a ring must not have the same id; '"
                        + key.id().get() + "' is there twice");
            }
        }
        if (entries.size() == MAX_KEYS) {
            throw new IllegalArgumentException("A key ring holds at most " + MAX_KEYS + " keys");
        }
        List<Entry> more = new ArrayList<>(entries);
        more.add(new Entry(key, until));
        return new KeyRing(signingKey, List.copyOf(more));
    }

    public HmacKey signingKey() {
        return signingKey;
    }

    /** How many keys it holds, with the one that signs. */
    public int size() {
        return entries.size();
    }

    /** All keys, the one that signs first; unmodifiable. */
    public List<Entry> entries() {
        return entries;
    }

    void requireOpen() {
        entries.forEach(entry -> requireOpen(entry.key()));
    }

    private static void requireOpen(HmacKey key) {
        if (key.isClosed()) {
            throw new IllegalArgumentException("A closed key cannot be part of a key ring");
        }
    }

    @Override
    public String toString() {
        return "KeyRing[signing=" + signingKey + ", keys=" + entries.size() + "]";
    }
}
