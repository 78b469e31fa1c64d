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
 * refused, and the keys stay as they are.
 *
 * <p>A dropped key stays dropped on this node until the process ends, whatever the files hold later. A file for verifying keys is read without the
 * dropped key. A signing key's file with the dropped key is refused. After a restart the files alone decide, so the log warns while a file still holds
 * a dropped key. Each node drops for itself.
 *
 * <p>Safe for use by any number of threads.
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
        /** A file could not be read, holds no usable key, or the signing key's file holds a dropped one: the keys stay, and the log says why. */
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
     * Reads the key files again, and drops every key that signed before or is in no file any longer. To be called once a key that leaked was replaced
     * in its file, or taken out of it: each token that an earlier key signed is worthless at once, on this node. A key that signed before is dropped
     * even if a file for verifying keys still holds it. Never throws; where a file cannot be used nothing is dropped either.
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
     * @throws IllegalArgumentException if the key was closed or dropped, has the id of another key in use, or too many earlier keys still verify; the
     *     keys stay as they are
     */
    public synchronized void rotateTo(HmacKey signingKey) {
        handOver(new KeyFiles.Keys(signingKey, current.verifying()), EarlierKeys.VERIFY);
    }

    /**
     * Signs with a key from now on, and drops every key that signed before: for a key that leaked and is in no file. Files for verifying keys stay in
     * use, but for the dropped keys. If there is a file for the signing key, put the new key there too, or the next start brings back the old one.
     *
     * @param signingKey another one than signs now
     * @throws IllegalArgumentException if the key was closed, is the one to drop or was dropped before, or has the id of another key in use; the keys
     *     stay as they are
     */
    public synchronized void rotateAndDrop(HmacKey signingKey) {
        HmacKey leaked = current.signing();
        if (signingKey.hasSameBytesAs(leaked)) {
            throw new IllegalArgumentException("The key that signs now is the one to drop; rotate to another one");
        }
        handOver(new KeyFiles.Keys(signingKey, current.verifying()), EarlierKeys.VERIFY_NOTHING);
        warnOfDroppedKeysInFiles();
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
        warnOfDroppedKeysInFiles();
        return Outcome.DROPPED;
    }

    /** A key that was handed over stays until its own file changes, whatever the others do. */
    private Outcome changed(KeyFiles.Keys read, EarlierKeys earlierKeys) {
        boolean sameSigning = read.signing().isSameKeyAs(filed.signing());
        if (!sameSigning && ring.hasDropped(read.signing())) {
            throw new LatchkeyConfigurationException(
                    "latchkey.jwt.secret-file holds a key that was dropped", "Put a new key into the file.");
        }
        replaceWith(new KeyFiles.Keys(sameSigning ? current.signing() : read.signing(), read.verifying()), earlierKeys);
        filed = read;
        warnOfDroppedKeysInFiles();
        return Outcome.ROTATED;
    }

    /** The ring leaves out what was dropped, but the next process reads the files and knows nothing of that. */
    private void warnOfDroppedKeysInFiles() {
        if (files.signing() != null && ring.hasDropped(filed.signing())) {
            warnOfDroppedKeyIn("latchkey.jwt.secret-file");
        }
        if (filed.verifying().stream().anyMatch(ring::hasDropped)) {
            warnOfDroppedKeyIn("latchkey.jwt.verifying-secret-files");
        }
    }

    private static void warnOfDroppedKeyIn(String property) {
        LOG.warn("{} holds a key that was dropped: it stays dropped here, and a restart brings it back", property);
    }

    private void handOver(KeyFiles.Keys next, EarlierKeys earlierKeys) {
        replaceWith(next, earlierKeys);
        if (files.signing() == null) {
            filed = new KeyFiles.Keys(next.signing(), filed.verifying());
        }
    }

    private void replaceWith(KeyFiles.Keys wanted, EarlierKeys earlierKeys) {
        Instant now = clock.instant();
        KeyFiles.Keys next = wanted.verifyingWithout(ring::hasDropped);
        List<Earlier> kept = List.of();
        if (earlierKeys == EarlierKeys.VERIFY) {
            kept = stillVerifying(next.signing(), now);
            ring.replaceWith(ringOf(next, kept));
        } else {
            ring.replaceAndDrop(ringOf(next.verifyingWithout(this::hasSigned), kept));
        }
        current = next.verifyingWithout(ring::hasDropped);
        earlier = kept;
        LOG.info(
                "Tokens are signed with a new set of keys from now on; {} earlier keys still verify, until {}",
                kept.size(),
                kept.isEmpty() ? now : now.plus(keepVerifying));
    }

    private boolean hasSigned(HmacKey key) {
        return key.hasSameBytesAs(current.signing()) || earlier.stream().anyMatch(one -> key.hasSameBytesAs(one.key()));
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
