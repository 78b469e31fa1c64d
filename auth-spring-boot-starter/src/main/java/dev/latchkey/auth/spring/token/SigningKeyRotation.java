package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.DaemonThreads;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.KeyRing;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the signing key while the service runs. Tokens of the previous key stay valid: the previous key verifies until its last
 * token has expired. If the previous key has leaked, {@link #reloadAndDrop} and {@link #rotateAndDrop} reject its tokens at once.
 *
 * <p>The keys are arguments, or come from the files in {@code latchkey.jwt}. Unusable keys are rejected, and the present keys
 * stay. The service's own keys in {@link RotatingKeys} stay too: a key with an end date counts as a previous signing key, and a
 * key without an end date verifies on.
 *
 * <p>A dropped key stays dropped on this node until the process ends, regardless of the files. A file for verifying keys is read
 * without the dropped key. A signing key's file with the dropped key is rejected. After a restart only the files decide, so the
 * log warns while a file still contains a dropped key. Each node drops keys separately.
 *
 * <p>Safe for use by any number of threads. A reload waits ten seconds for a file that hangs, and a rotation to a key from an
 * argument does not wait.
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
        /** A file did not answer within ten seconds, or the caller was interrupted. The present keys stay. */
        TIMED_OUT,
        /** The keys come from no file. */
        NO_FILE
    }

    /** The treatment of previous signing keys. */
    private enum EarlierKeys {
        VERIFY,
        VERIFY_NOTHING
    }

    static final String READER_NAME = "latchkey-key-file-reader";

    private static final Logger LOG = LoggerFactory.getLogger(SigningKeyRotation.class);
    private static final Duration LONGEST_RELOAD = Duration.ofSeconds(10);
    private static final ThreadFactory READERS = DaemonThreads.of(SigningKeyRotation.class, READER_NAME);

    private final RotatingKeys ring;
    private final KeyFiles files;
    private final Duration keepVerifying;
    private final InstantSource clock;
    private final Duration longestReload;

    /**
     * Held from the reading of the files to the use of their content. So no reload replaces the content of a later reading, and
     * at most one thread hangs. A rotation does not need this permit, because a reading may hang.
     */
    private final Semaphore reading = new Semaphore(1);

    /** The content of the files at the last reading, without keys from arguments. */
    private KeyFiles.Keys filed;

    /** The last logged message, so that a bad file is logged once and not at every reading. */
    private @Nullable String reported;

    /**
     * @param keepVerifying how long a token signed now may still be accepted
     * @throws LatchkeyConfigurationException if a file with verifying keys is unusable
     */
    SigningKeyRotation(RotatingKeys ring, KeyFiles files, Duration keepVerifying, InstantSource clock) {
        this(ring, files, keepVerifying, clock, LONGEST_RELOAD);
    }

    SigningKeyRotation(
            RotatingKeys ring, KeyFiles files, Duration keepVerifying, InstantSource clock, Duration longestReload) {
        this.ring = ring;
        this.files = files;
        this.keepVerifying = keepVerifying;
        this.clock = clock;
        this.longestReload = longestReload;
        KeyRing all = ring.ring();
        this.filed = new KeyFiles(null, files.verifying(), files.form()).read(all.signingKey());
        for (HmacKey key : filed.verifying()) {
            all = all.alsoVerifying(key, Instant.MAX);
        }
        if (!filed.verifying().isEmpty()) {
            ring.replaceWith(all);
        }
    }

    /**
     * Reads the key files again, and signs with their key from now on. Never throws, and takes at most ten seconds.
     *
     * @return the outcome
     */
    public Outcome reload() {
        return reload(EarlierKeys.VERIFY);
    }

    /**
     * Reads the key files again, and drops every previous signing key and every key that its file no longer contains. Call this
     * method after replacing or removing a leaked key in its file: this node rejects each token of the previous keys at once. A
     * previous signing key is
     * dropped even if a file for verifying keys still contains the key. Never throws, and takes at most ten seconds. With an
     * unusable file, and after the ten seconds, nothing is dropped.
     *
     * @return the outcome
     */
    public Outcome reloadAndDrop() {
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
        replaceWith(new KeyFiles.Keys(signingKey, filed.verifying()), EarlierKeys.VERIFY);
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
        if (signingKey.hasSameBytesAs(ring.ring().signingKey())) {
            throw new IllegalArgumentException("The key that signs now is the one to drop; rotate to another one");
        }
        replaceWith(new KeyFiles.Keys(signingKey, filed.verifying()), EarlierKeys.VERIFY_NOTHING);
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
            return readAndUse(earlierKeys);
        } catch (LatchkeyConfigurationException | IllegalArgumentException e) {
            report(String.valueOf(e.getMessage()));
            return Outcome.REFUSED;
        } catch (TimeoutException e) {
            report("a key file does not answer");
            return Outcome.TIMED_OUT;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.TIMED_OUT;
        }
    }

    /** Uses a reading that began after this call: an earlier reading may have read a file before its last change. */
    private Outcome readAndUse(EarlierKeys earlierKeys) throws InterruptedException, TimeoutException {
        long end = System.nanoTime() + longestReload.toNanos();
        if (!reading.tryAcquire(longestReload.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new TimeoutException();
        }
        FutureTask<KeyFiles.Keys> read = startReading();
        try {
            return use(read.get(end - System.nanoTime(), TimeUnit.NANOSECONDS), earlierKeys);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof LatchkeyConfigurationException unusable
                    ? unusable
                    : new IllegalStateException("The key files could not be read", e);
        } finally {
            if (!read.cancel(false)) {
                reading.release();
            }
        }
    }

    /**
     * Java cannot interrupt a thread that opens a file. A cancelled reading therefore keeps the permit until its end, and its
     * content is not used.
     */
    private FutureTask<KeyFiles.Keys> startReading() {
        HmacKey unread = filed.signing();
        FutureTask<KeyFiles.Keys> read = new FutureTask<>(() -> files.read(unread));
        Thread reader = READERS.newThread(() -> {
            read.run();
            if (read.isCancelled()) {
                reading.release();
            }
        });
        try {
            reader.start();
        } catch (OutOfMemoryError e) {
            // The system allows no further thread.
            reading.release();
            throw e;
        }
        return read;
    }

    private synchronized void report(String reason) {
        if (!reason.equals(reported)) {
            reported = reason;
            LOG.warn("The signing keys stay as they are: {}", reason);
        }
    }

    private synchronized Outcome use(KeyFiles.Keys read, EarlierKeys earlierKeys) {
        Outcome outcome = read.areSameAs(filed) ? droppedOrUnchanged(earlierKeys) : changed(read, earlierKeys);
        if (reported != null) {
            reported = null;
            LOG.info("The key files are read again");
        }
        return outcome;
    }

    private Outcome droppedOrUnchanged(EarlierKeys earlierKeys) {
        KeyRing present = ring.ring();
        if (earlierKeys == EarlierKeys.VERIFY || present.entries().stream().noneMatch(SigningKeyRotation::hasEnd)) {
            return Outcome.UNCHANGED;
        }
        replaceWith(new KeyFiles.Keys(present.signingKey(), filed.verifying()), earlierKeys);
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
        HmacKey signing = sameSigning ? ring.ring().signingKey() : read.signing();
        replaceWith(new KeyFiles.Keys(signing, read.verifying()), earlierKeys);
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

    private void replaceWith(KeyFiles.Keys wanted, EarlierKeys earlierKeys) {
        KeyRing present = ring.ring();
        KeyFiles.Keys next = wanted.verifyingWithout(ring::hasDropped);
        List<KeyRing.Entry> kept = keptOf(present, next.signing(), earlierKeys);
        if (earlierKeys == EarlierKeys.VERIFY) {
            ring.replaceWith(ringOf(next, kept));
        } else {
            ring.replaceAndDrop(ringOf(next.verifyingWithout(key -> hasSigned(key, present)), kept));
        }
        LOG.info("Tokens are signed with a new set of keys from now on; {} other keys still verify", kept.size());
    }

    /** The present keys outside of the files. The service may have put some of these keys into the ring. */
    private List<KeyRing.Entry> keptOf(KeyRing present, HmacKey signing, EarlierKeys earlierKeys) {
        Instant now = clock.instant();
        List<KeyRing.Entry> kept = new ArrayList<>();
        for (KeyRing.Entry entry : present.entries()) {
            HmacKey key = entry.key();
            KeyRing.Entry next = key == present.signingKey() ? new KeyRing.Entry(key, now.plus(keepVerifying)) : entry;
            boolean stays = hasEnd(next)
                    ? earlierKeys == EarlierKeys.VERIFY && next.until().isAfter(now)
                    : filed.verifying().stream().noneMatch(key::hasSameBytesAs);
            if (stays && !key.isClosed() && !key.isSameKeyAs(signing)) {
                kept.add(next);
            }
        }
        return kept;
    }

    /** A key with an end counts as a previous signing key. A key of a file has no end. */
    private static boolean hasEnd(KeyRing.Entry entry) {
        return !entry.until().equals(Instant.MAX);
    }

    private static boolean hasSigned(HmacKey key, KeyRing present) {
        return key.hasSameBytesAs(present.signingKey())
                || present.entries().stream().anyMatch(entry -> hasEnd(entry) && key.hasSameBytesAs(entry.key()));
    }

    private static KeyRing ringOf(KeyFiles.Keys keys, List<KeyRing.Entry> others) {
        KeyRing made = KeyRing.of(keys.signing());
        for (HmacKey key : keys.verifying()) {
            made = made.alsoVerifying(key, Instant.MAX);
        }
        for (KeyRing.Entry other : others) {
            made = made.alsoVerifying(other.key(), other.until());
        }
        return made;
    }
}
