package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.KeyRing;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the signing key while the service runs. Tokens that the earlier key signed stay good: that key goes on verifying until the last of
 * them has expired. Where the earlier key has leaked, its tokens are to be worthless: {@link #reloadAndDrop} and {@link #rotateAndDrop} end them
 * at once.
 *
 * <p>The keys are either handed over, or read again from the files that {@code latchkey.jwt} names. What cannot be used is
 * refused, and the keys stay as they are. Safe for use by any number of threads.
 */
public final class SigningKeyRotation {

    /** What became of an attempt to read the key files again. */
    public enum Outcome {
        /** The files held other keys, which are in use now. */
        ROTATED,
        /** The files hold what they held before, and those keys that still verified for the sake of older tokens no longer do. */
        DROPPED,
        /** The files hold what they held before. */
        UNCHANGED,
        /** A file could not be read or holds no usable key: the earlier keys stay in use, and the log says why. */
        REFUSED,
        /** The keys come from no file: there is nothing to read again. */
        NO_FILE
    }

    private record Earlier(HmacKey key, Instant until) {}

    /** What becomes of keys that signed before. */
    private enum EarlierKeys {
        VERIFY,
        VERIFY_NOTHING
    }

    private static final Logger LOG = LoggerFactory.getLogger(SigningKeyRotation.class);

    private final RotatingKeys ring;
    private final KeyFiles files;
    private final Duration keepVerifying;
    private final InstantSource clock;
    private KeyFiles.Keys current;

    /** What the files held when they were read last: a key that was handed over is not theirs. */
    private KeyFiles.Keys filed;

    private List<Earlier> earlier = List.of();

    /** What was logged last, so that a file that stays bad is reported once and not at every look at it. */
    private @Nullable String reported;

    /**
     * @param keepVerifying how long a token that was signed just now may still be accepted
     * @throws LatchkeyConfigurationException if one of the files that hold verifying keys cannot be used
     */
    SigningKeyRotation(RotatingKeys ring, KeyFiles files, Duration keepVerifying, InstantSource clock) {
        this.ring = ring;
        this.files = files;
        this.keepVerifying = keepVerifying;
        this.clock = clock;
        HmacKey signing = ring.ring().signingKey();
        this.current = new KeyFiles.Keys(
                signing, new KeyFiles(null, files.verifying()).read(signing).verifying());
        this.filed = current;
        if (!current.verifying().isEmpty()) {
            ring.replaceWith(ringOf(current, earlier));
        }
    }

    /**
     * Reads the key files again, and signs with what they hold from now on. Never throws.
     *
     * @return what became of it
     */
    public synchronized Outcome reload() {
        return reload(EarlierKeys.VERIFY);
    }

    /**
     * Reads the key files again, and lets nothing else verify from now on. To be called once a key that leaked was replaced in its file, or taken out
     * of it: each token that an earlier key signed is worthless at once, on this node. Never throws; where a file cannot be used nothing is dropped
     * either.
     *
     * @return what became of it
     */
    public synchronized Outcome reloadAndDrop() {
        return reload(EarlierKeys.VERIFY_NOTHING);
    }

    /**
     * Signs with a key from now on, until the signing key's file changes next.
     *
     * @param signingKey of which the id is no other key's
     * @throws IllegalArgumentException if the key was closed, has the id of another key in use, or too many earlier keys still verify; the keys stay
     *     as they are
     */
    public synchronized void rotateTo(HmacKey signingKey) {
        handOver(new KeyFiles.Keys(signingKey, current.verifying()), EarlierKeys.VERIFY);
    }

    /**
     * Signs with a key from now on, and lets none that signed before verify any longer: for a key that leaked and is in no file. Files for verifying
     * keys stay in use, but for the key that is dropped. If there is a file for the signing key, put the new key there too, or the next start brings
     * back the old one.
     *
     * @param signingKey another one than signs now
     * @throws IllegalArgumentException if the key was closed, is the one to drop, or has the id of another key in use; the keys stay as they are
     */
    public synchronized void rotateAndDrop(HmacKey signingKey) {
        HmacKey leaked = current.signing();
        if (signingKey.isSameKeyAs(leaked)) {
            throw new IllegalArgumentException("The key that signs now is the one to drop; rotate to another one");
        }
        List<HmacKey> verifying = current.verifying().stream()
                .filter(key -> !key.isSameKeyAs(leaked))
                .toList();
        handOver(new KeyFiles.Keys(signingKey, verifying), EarlierKeys.VERIFY_NOTHING);
    }

    boolean hasFiles() {
        return !files.isEmpty();
    }

    private Outcome reload(EarlierKeys earlierKeys) {
        if (files.isEmpty()) {
            return Outcome.NO_FILE;
        }
        try {
            KeyFiles.Keys read = files.read(current.signing());
            Outcome outcome = read.areSameAs(filed) ? droppedOrUnchanged(earlierKeys) : changed(read, earlierKeys);
            reported = null;
            return outcome;
        } catch (LatchkeyConfigurationException | IllegalArgumentException e) {
            if (!String.valueOf(e.getMessage()).equals(reported)) {
                reported = String.valueOf(e.getMessage());
                LOG.warn("The signing keys stay as they are: {}", reported);
            }
            return Outcome.REFUSED;
        }
    }

    private Outcome droppedOrUnchanged(EarlierKeys earlierKeys) {
        if (earlierKeys == EarlierKeys.VERIFY || earlier.isEmpty()) {
            return Outcome.UNCHANGED;
        }
        replaceWith(current, earlierKeys);
        return Outcome.DROPPED;
    }

    /** A key that was handed over stays until its own file changes, whatever the others do. */
    private Outcome changed(KeyFiles.Keys read, EarlierKeys earlierKeys) {
        boolean sameSigning = read.signing().isSameKeyAs(filed.signing());
        replaceWith(new KeyFiles.Keys(sameSigning ? current.signing() : read.signing(), read.verifying()), earlierKeys);
        filed = read;
        return Outcome.ROTATED;
    }

    private void handOver(KeyFiles.Keys next, EarlierKeys earlierKeys) {
        replaceWith(next, earlierKeys);
        if (files.signing() == null) {
            filed = new KeyFiles.Keys(next.signing(), filed.verifying());
        }
    }

    private void replaceWith(KeyFiles.Keys next, EarlierKeys earlierKeys) {
        Instant now = clock.instant();
        List<Earlier> kept = earlierKeys == EarlierKeys.VERIFY ? stillVerifying(next.signing(), now) : List.of();
        ring.replaceWith(ringOf(next, kept));
        current = next;
        earlier = kept;
        LOG.info(
                "Tokens are signed with a new set of keys from now on; {} earlier keys still verify, until {}",
                kept.size(),
                kept.isEmpty() ? now : now.plus(keepVerifying));
    }

    private List<Earlier> stillVerifying(HmacKey signing, Instant now) {
        List<Earlier> signed = new ArrayList<>(earlier);
        signed.add(0, new Earlier(current.signing(), now.plus(keepVerifying)));
        signed.removeIf(one ->
                !one.until().isAfter(now) || one.key().isClosed() || one.key().isSameKeyAs(signing));
        return List.copyOf(signed);
    }

    private static KeyRing ringOf(KeyFiles.Keys keys, List<Earlier> earlier) {
        KeyRing made = KeyRing.of(keys.signing());
        for (HmacKey key : keys.verifying()) {
            made = made.alsoVerifying(key, Instant.MAX);
        }
        for (Earlier one : earlier) {
            made = made.alsoVerifying(one.key(), one.until());
        }
        return made;
    }
}
