package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the entries in a {@link SharedRevocationStore}, so the check of a token needs no server.
 *
 * <p>{@link #refresh} reads new entries. Call this method every {@link LocalRevocationSettings#refreshInterval} on a
 * single thread. The copy answers alone until {@link LocalRevocationSettings#staleAfter} has passed since the last
 * reading. An older copy asks the store itself. No answer from the store is an outage, unless
 * {@link LocalRevocationSettings#acceptStaleFor} allows a copy of this age. An entry in the copy is revoked in any
 * case.
 *
 * <p>A revocation goes to the store first, and enters the copy before the call returns. The copy keeps the entry until
 * its end: at the next reading, a store that has lost the entry gets the entry back ({@link CopyReader}). Safe for use
 * by any number of threads; questions take no lock.
 */
public final class LocalRevocations implements RevocationStore {

    /**
     * The state of the copy.
     *
     * @param size the number of revocations in the copy
     * @param age time since the copy was complete; empty if the copy never was
     * @param isFresh whether the copy answers alone
     * @param isAnswering whether the copy or the store can answer, as far as known
     */
    public record Status(int size, Optional<Duration> age, boolean isFresh, boolean isAnswering) {}

    private final SharedRevocationStore store;
    private final LocalRevocationSettings settings;
    private final LongSupplier nanos;
    private final RevocationCopy copy;
    private final RecentDigests tokens;
    private final RecentDigests subjects;
    private final CopyReader reader;

    /** The time of the last failed call; null while the store answers. */
    private final AtomicReference<@Nullable Long> failedAt;

    private LocalRevocations(
            SharedRevocationStore store, LocalRevocationSettings settings, InstantSource clock, LongSupplier nanos) {
        this.store = Objects.requireNonNull(store, "store");
        this.settings = Objects.requireNonNull(settings, "settings");
        this.nanos = nanos;
        this.copy = new RevocationCopy();
        this.tokens = new RecentDigests(IdDigest::ofToken);
        this.subjects = new RecentDigests(IdDigest::ofSubject);
        this.reader = new CopyReader(store, copy, settings.maximumSize(), clock, nanos);
        this.failedAt = new AtomicReference<>();
    }

    /** The same copy, with a view of its store for questions beyond the copy. */
    private LocalRevocations(LocalRevocations same, SharedRevocationStore view) {
        this.store = view;
        this.settings = same.settings;
        this.nanos = same.nanos;
        this.copy = same.copy;
        this.tokens = same.tokens;
        this.subjects = same.subjects;
        this.reader = same.reader;
        this.failedAt = same.failedAt;
    }

    /**
     * An empty copy of this store. Before the first {@link #refresh}, all questions go to the store.
     *
     * @param store called on the threads of {@link #refresh} and of revocations, and for questions beyond the copy
     * @param settings age and size of the copy
     * @return a copy for this node; several copies of a store are independent
     */
    public static LocalRevocations of(SharedRevocationStore store, LocalRevocationSettings settings) {
        return of(store, settings, InstantSource.system(), System::nanoTime);
    }

    static LocalRevocations of(
            SharedRevocationStore store, LocalRevocationSettings settings, InstantSource clock, LongSupplier nanos) {
        return new LocalRevocations(store, settings, clock, nanos);
    }

    /**
     * Reads new entries, or all entries after a possible loss.
     *
     * @throws AuthUnavailableException if the store does not answer; call again later
     */
    public void refresh() {
        try {
            reader.read();
            failedAt.set(null);
        } catch (AuthUnavailableException e) {
            noteFailure();
            throw e;
        }
    }

    /**
     * The present state of the copy.
     *
     * @return a snapshot, for health and meters
     */
    public Status status() {
        Optional<Duration> age = reader.age();
        boolean isFresh = isFresh();
        return new Status(copy.size(), age, isFresh, isFresh || failedAt.get() == null || mayAnswerStale());
    }

    @Override
    public void revokeToken(String tokenId, Instant expiresAt) {
        reader.keep(asked(() -> store.recordToken(tokenId, expiresAt)));
    }

    @Override
    public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        reader.keep(asked(() -> store.recordTokenOf(subjectId, tokenId, expiresAt)));
    }

    @Override
    public void revokeSubject(String subjectId, Instant notBefore) {
        reader.keep(asked(() -> store.recordSubject(subjectId, notBefore)));
    }

    @Override
    public Instant notBefore(String subjectId) {
        IdDigest id = subjects.of(subjectId);
        Instant known = copy.notBefore(id);
        if (isFresh()) {
            return known;
        }
        Instant stored = askStore(() -> store.notBefore(subjectId), known);
        if (stored.isAfter(known)) {
            reader.keepForNow(id, stored);
            return stored;
        }
        return known;
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        IdDigest id = tokens.of(tokenId);
        if (copy.contains(id)) {
            return true;
        }
        if (isFresh() || !askStore(() -> store.isTokenRevoked(tokenId), false)) {
            return false;
        }
        reader.keepForNow(id, Instant.MIN);
        return true;
    }

    /** As the interface requires, the store answers. Only a revoked entry in the copy is enough. */
    @Override
    public boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
        return issuedAt.isBefore(copy.notBefore(subjects.of(subjectId)))
                || askStore(() -> store.isSubjectRevoked(subjectId, issuedAt), false);
    }

    @Override
    public RevocationStore within(Duration longest) {
        return new LocalRevocations(this, store.within(longest));
    }

    private boolean isFresh() {
        return reader.isNoOlderThan(settings.staleAfter());
    }

    private boolean mayAnswerStale() {
        return !settings.acceptStaleFor().isZero() && reader.isNoOlderThan(settings.acceptStaleFor());
    }

    /**
     * Returns the store's answer, or the copy's if the copy may answer alone. A store with a failure a moment ago is
     * not asked again: each request would wait for the store's deadline.
     */
    private <T> T askStore(Supplier<T> question, T known) {
        Long failed = failedAt.get();
        boolean hasJustFailed = failed != null
                && nanos.getAsLong() - failed < settings.refreshInterval().toNanos();
        if (!hasJustFailed) {
            try {
                return asked(question);
            } catch (AuthUnavailableException e) {
                if (!mayAnswerStale()) {
                    throw e;
                }
            }
        }
        if (mayAnswerStale()) {
            return known;
        }
        throw AuthUnavailableException.outage(
                "The copy of revocations is not up to date, and their store does not answer");
    }

    private <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (AuthUnavailableException e) {
            noteFailure();
            throw e;
        }
    }

    private void noteFailure() {
        failedAt.set(nanos.getAsLong());
        reader.readAllNext();
    }

    @Override
    public String toString() {
        return "LocalRevocations" + status();
    }
}
