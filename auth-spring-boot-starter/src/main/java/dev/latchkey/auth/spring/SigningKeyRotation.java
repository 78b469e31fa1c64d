package dev.latchkey.auth.spring;

import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.KeyRing;
import dev.latchkey.auth.jwt.RotatingKeys;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the signing key while the service runs, without making the tokens worthless that the earlier key signed: that key
 * goes on verifying until the last of them has expired.
 *
 * <p>The keys are either handed over, or read again from the files that {@code latchkey.jwt} names. What cannot be used is
 * refused, and the keys stay as they are. Safe for use by any number of threads.
 */
public final class SigningKeyRotation {

    /** What became of an attempt to read the key files again. */
    public enum Outcome {
        /** The files held other keys, which are in use now. */
        ROTATED,
        /** The files hold the keys that are in use. */
        UNCHANGED,
        /** A file could not be read or holds no usable key: the earlier keys stay in use, and the log says why. */
        REFUSED,
        /** The keys come from no file: there is nothing to read again. */
        NO_FILE
    }

    private record Earlier(HmacKey key, Instant until) {}

    private static final Logger LOG = LoggerFactory.getLogger(SigningKeyRotation.class);

    private final RotatingKeys ring;
    private final KeyFiles files;
    private final Duration keepVerifying;
    private final InstantSource clock;
    private KeyFiles.Keys current;
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
        if (!current.verifying().isEmpty()) {
            ring.replaceWith(ringOf(current, earlier));
        }
    }

    /** Reads the key files again, and signs with what they hold from now on. Never throws. */
    public synchronized Outcome reload() {
        if (files.isEmpty()) {
            return Outcome.NO_FILE;
        }
        try {
            KeyFiles.Keys read = files.read(current.signing());
            if (read.areSameAs(current)) {
                reported = null;
                return Outcome.UNCHANGED;
            }
            replaceWith(read);
            reported = null;
            return Outcome.ROTATED;
        } catch (LatchkeyConfigurationException | IllegalArgumentException e) {
            if (!String.valueOf(e.getMessage()).equals(reported)) {
                reported = String.valueOf(e.getMessage());
                LOG.warn("The signing keys stay as they are: {}", reported);
            }
            return Outcome.REFUSED;
        }
    }

    /**
     * Signs with this key from now on; a key of the files takes its place when they change next.
     *
     * @throws IllegalArgumentException if the key was closed, has the id of another key in use, or too many earlier keys still
     *     verify; the keys stay as they are
     */
    public synchronized void rotateTo(HmacKey signingKey) {
        replaceWith(new KeyFiles.Keys(signingKey, current.verifying()));
    }

    boolean hasFiles() {
        return !files.isEmpty();
    }

    private void replaceWith(KeyFiles.Keys next) {
        Instant now = clock.instant();
        List<Earlier> kept = new ArrayList<>();
        if (!next.signing().isSameKeyAs(current.signing())) {
            kept.add(new Earlier(current.signing(), now.plus(keepVerifying)));
        }
        for (Earlier one : earlier) {
            if (one.until().isAfter(now) && !one.key().isSameKeyAs(next.signing())) {
                kept.add(one);
            }
        }
        ring.replaceWith(ringOf(next, kept));
        current = next;
        earlier = List.copyOf(kept);
        LOG.info(
                "Tokens are signed with a new set of keys from now on; {} earlier keys still verify, until {}",
                kept.size(),
                now.plus(keepVerifying));
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
