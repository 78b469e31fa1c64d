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
 * Changes the signing key while the service runs. Tokens of the previous key stay valid: the previous key verifies until its last
 * token has expired. If the previous key has leaked, {@link #reloadAndDrop} and {@link #rotateAndDrop} reject its tokens at once.
 *
 * <p>The keys are arguments, or come from the files in {@code latchkey.jwt}. Unusable keys are rejected, and the present keys
 * stay.
 *
 * <p>A dropped key stays dropped on this node until the process ends, regardless of the files. A file for verifying keys is read
 * without the dropped key. A signing key's file with the dropped key is rejected. After a restart only the files decide, so the
 * log warns while a file still contains a dropped key. Each node drops keys separately.
 *
 * <p>Safe for use by any number of threads.
 */
public final class SigningKeyRotation {

    /** The outcome of reading the key files again. */
    public enum Outcome {
        /** The files contained other keys, now in use. */
        ROTATED,
        /** The files are unchanged. Keys kept only for older tokens no longer verify. */
        DROPPED,
        /** The files are unchanged. */
        UNCHANGED,
        /**
         * A file is unreadable, has no usable key, or the signing key's file has a dropped key. The present keys stay, and the
         * log has the reason.
         */
        REFUSED,
        /** The keys come from no file. */
        NO_FILE
    }

    private record Earlier(HmacKey key, Instant until) {}

    /** The treatment of previous signing keys. */
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

    /** The content of the files at the last reading, without keys from arguments. */
    private KeyFiles.Keys filed;

    private List<Earlier> earlier = List.of();

    /** The last logged message, so that a bad file is logged once and not at every reading. */
    private @Nullable String reported;

    /**
     * @param keepVerifying how long a token signed now may still be accepted
     * @throws LatchkeyConfigurationException if a file with verifying keys is unusable
     */
    SigningKeyRotation(RotatingKeys ring, KeyFiles files, Duration keepVerifying, InstantSource clock) {
        this.ring = ring;
        this.files = files;
        this.keepVerifying = keepVerifying;
        this.clock = clock;
        HmacKey signing = ring.ring().signingKey();
        this.current = new KeyFiles.Keys(
                signing,
                new KeyFiles(null, files.verifying(), files.form())
                        .read(signing)
                        .verifying());
        this.filed = current;
        if (!current.verifying().isEmpty()) {
            ring.replaceWith(ringOf(current, earlier));
        }
    }

    /**
     * Reads the key files again, and signs with their key from now on. Never throws.
     *
     * @return the outcome
     */
    public synchronized Outcome reload() {
        return reload(EarlierKeys.VERIFY);
    }

    /**
     * Reads the key files again, and drops every previous signing key and every key in no file. Call this method after replacing
     * or removing a leaked key in its file: this node rejects each token of the previous keys at once. A previous signing key is
     * dropped even if a file for verifying keys still contains the key. Never throws; with an unusable file, nothing is dropped.
     *
     * @return the outcome
     */
    public synchronized Outcome reloadAndDrop() {
        return reload(EarlierKeys.VERIFY_NOTHING);
    }

    /**
     * Signs with a key from now on, until the next change of the signing key's file.
     *
     * @param signingKey with an id different from all other keys
     * @throws IllegalArgumentException if the key was closed or dropped, has the id of another key in use, or too many previous
     *     keys still verify; the keys stay unchanged
     */
    public synchronized void rotateTo(HmacKey signingKey) {
        handOver(new KeyFiles.Keys(signingKey, current.verifying()), EarlierKeys.VERIFY);
    }

    /**
     * Signs with a key from now on, and drops every previous signing key: for a leaked key in no file. Files for verifying keys
     * stay in use, without the dropped keys. If there is a file for the signing key, write the new key into this file too, or the
     * next start restores the old key.
     *
     * @param signingKey another key than the present signing key
     * @throws IllegalArgumentException if the key was closed, is the key to drop or was dropped before, or has the id of another
     *     key in use; the keys stay unchanged
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

    /** A key from an argument stays until its own file changes, regardless of the other files. */
    private Outcome changed(KeyFiles.Keys read, EarlierKeys earlierKeys) {
        boolean sameSigning = KeyFiles.Keys.areSame(read.signing(), filed.signing());
        if (!sameSigning && ring.hasDropped(read.signing())) {
            throw new LatchkeyConfigurationException(
                    "latchkey.jwt.secret holds a key that was dropped", "Put a new key into the file.");
        }
        replaceWith(new KeyFiles.Keys(sameSigning ? current.signing() : read.signing(), read.verifying()), earlierKeys);
        filed = read;
        warnOfDroppedKeysInFiles();
        return Outcome.ROTATED;
    }

    /** This process leaves dropped keys out. The next process reads the files and knows no dropped keys. */
    private void warnOfDroppedKeysInFiles() {
        if (files.signing() != null && ring.hasDropped(filed.signing())) {
            warnOfDroppedKeyIn("latchkey.jwt.secret");
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
