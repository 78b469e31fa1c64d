package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Checks a key from a request: first the form, then the digest, then the state of the owner. A row stays cached for
 * {@link ApiKeySettings#seenWithin}. After a wrong secret for a cached row, the row is read again.
 *
 * <p>The check records the use of a valid key, and renews a digest of a former secret. No request waits for these
 * writes. Safe for use by any number of threads.
 */
final class ApiKeyCheck implements AutoCloseable {

    private static final Duration NOTED_EVERY = Duration.ofMinutes(1);
    private static final int MOST_READINGS = 50_000;
    private static final Rejected MALFORMED = Rejected.because(RejectionReason.MALFORMED);

    private final ApiKeyStore store;
    private final KeyDigests digests;
    private final KeyFormat format;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final KeyReadings readings;
    private final LaterWrites later = new LaterWrites();

    ApiKeyCheck(
            ApiKeyStore store,
            KeyDigests digests,
            ApiKeySettings settings,
            OwnerStates owners,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.store = store;
        this.digests = digests;
        this.format = KeyFormat.withPrefix(settings.prefix());
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.readings = new KeyReadings(id -> read(id, owners::of), MOST_READINGS, settings.seenWithin(), nanoTime);
    }

    /** @throws AuthUnavailableException if the key or its owner's account cannot be read */
    Decision decide(Secret shown) {
        return shown.withBytes(this::decide);
    }

    private Decision decide(byte[] text) {
        if (!format.isWellFormed(text)) {
            return MALFORMED;
        }
        String id = format.idOf(text);
        Reading known = readings.known(id);
        Reading reading = known == null ? readings.of(id) : known;
        Instant now = clock.instant();
        Decision decision = reading.decide(text, format.secretAt(), now);
        if (known != null && Reading.isWrong(decision) && isRotated(id, known)) {
            readings.forget(id);
            reading = readings.of(id);
            decision = reading.decide(text, format.secretAt(), now);
        }
        if (decision instanceof Authenticated) {
            noteUse(id, reading, now);
            renewDigest(id, reading, text);
        }
        return decision;
    }

    /**
     * Decides as if the owner were active. Reads the row from the store, and records no use.
     *
     * @throws AuthUnavailableException if the key cannot be read
     */
    Decision decideWithoutOwner(Secret shown) {
        return shown.withBytes(this::decideWithoutOwner);
    }

    private Decision decideWithoutOwner(byte[] text) {
        if (!format.isWellFormed(text)) {
            return MALFORMED;
        }
        Reading reading = read(
                format.idOf(text),
                key -> Authenticated.as(Subject.of(key.owner().account())));
        return reading.decide(text, format.secretAt(), clock.instant());
    }

    /** Whether another node has rotated the key. A wrong secret for a known key costs one read, like an unknown id. */
    private boolean isRotated(String id, Reading known) {
        return store.find(id).filter(known::hasOtherDigestsThan).isPresent();
    }

    /** Records the use, at most once a minute. */
    private void noteUse(String id, Reading reading, Instant now) {
        if (reading.isUseToBeNoted(now, NOTED_EVERY)) {
            Instant use = now.truncatedTo(ChronoUnit.MILLIS);
            later.add(() -> store.used(id, use, use.minus(NOTED_EVERY)));
        }
    }

    /** Renews the digest of a former secret. If the renewal fails, the next reading of the row repeats the renewal. */
    private void renewDigest(String id, Reading reading, byte[] text) {
        String before = reading.digestToRenew(text, format.secretAt());
        if (before != null) {
            String after = reading.renewed(digests, text, format.secretAt());
            later.add(() -> {
                store.redigest(id, before, after);
                readings.forget(id);
            });
        }
    }

    private Reading read(String id, Function<StoredKey, Verdict> stateOfOwner) {
        long readAt = nanoTime.getAsLong();
        return store.find(id)
                .map(key -> Reading.of(key, stateOfOwner.apply(key), digests, readAt))
                .orElseGet(() -> Reading.ofNothing(digests, readAt));
    }

    /** Removes this key from the cache. */
    void forget(String id) {
        readings.forget(id);
    }

    /** Removes all keys of this account from the cache. */
    void forgetAllOf(String account) {
        readings.forgetAllOf(account);
    }

    /** Ends the thread of the writes. */
    @Override
    public void close() {
        later.close();
    }
}
