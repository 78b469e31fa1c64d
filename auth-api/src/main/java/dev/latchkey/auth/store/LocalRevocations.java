package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A copy of what a {@link SharedRevocationStore} has, so that a check of a token asks no server.
 *
 * <p>{@link #refresh} reads what is new. Call it every {@link LocalRevocationSettings#refreshInterval} on one thread. As long as the last reading is not
 * older than {@link LocalRevocationSettings#staleAfter}, every question is answered here. An older copy asks the store itself. If the store does not
 * answer, that is an outage, unless {@link LocalRevocationSettings#acceptStaleFor} allows a copy of this age. What the copy has as revoked is refused in
 * any case.
 *
 * <p>A revocation goes to the store first, and is in the copy before the call returns. The copy keeps it until it ends: a store that has lost it gets it
 * back at the next reading ({@link CopyReader}). Safe for use by any number of threads; questions take no lock.
 */
public final class LocalRevocations implements RevocationStore {

    /**
     * The state of the copy.
     *
     * @param size how many revocations it has
     * @param age how long ago the copy was complete; empty if it never was
     * @param isFresh whether it answers alone
     * @param isAnswering whether questions are answered, by the copy or by the store, as far as is known
     */
    public record Status(int size, Optional<Duration> age, boolean isFresh, boolean isAnswering) {}

    private final SharedRevocationStore store;
    private final LocalRevocationSettings settings;
    private final LongSupplier nanos;
    private final RevocationCopy copy = new RevocationCopy();
    private final RecentDigests tokens = new RecentDigests(IdDigest::ofToken);
    private final RecentDigests subjects = new RecentDigests(IdDigest::ofSubject);
    private final CopyReader reader;

    /** When the store did not answer last; read where {@link #isFailing}. */
    private volatile long failedAt;

    private volatile boolean isFailing;

    private LocalRevocations(
            SharedRevocationStore store, LocalRevocationSettings settings, InstantSource clock, LongSupplier nanos) {
        this.store = Objects.requireNonNull(store, "store");
        this.settings = Objects.requireNonNull(settings, "settings");
        this.nanos = nanos;
        this.reader = new CopyReader(store, copy, settings.maximumSize(), clock, nanos);
    }

    /**
     * A copy of this store, which is empty and asks it everything until the first {@link #refresh}.
     *
     * @param store is asked on the threads that call {@link #refresh} or revoke, and by questions that the copy cannot answer
     * @param settings how old the copy may be, and how many revocations it holds
     * @return a copy for one node; several of one store know nothing of each other
     */
    public static LocalRevocations of(SharedRevocationStore store, LocalRevocationSettings settings) {
        return of(store, settings, InstantSource.system(), System::nanoTime);
    }

    static LocalRevocations of(
            SharedRevocationStore store, LocalRevocationSettings settings, InstantSource clock, LongSupplier nanos) {
        return new LocalRevocations(store, settings, clock, nanos);
    }

    /**
     * Reads what is new, and all there is where something may have been missed.
     *
     * @throws AuthUnavailableException if the store does not answer; to be called again
     */
    public void refresh() {
        try {
            reader.read();
            isFailing = false;
        } catch (AuthUnavailableException e) {
            noteFailure();
            throw e;
        }
    }

    /**
     * The state of the copy now.
     *
     * @return a snapshot, for health and meters
     */
    public Status status() {
        Optional<Duration> age = reader.age();
        boolean isFresh = isFresh();
        return new Status(copy.size(), age, isFresh, isFresh || !isFailing || mayAnswerStale());
    }

    @Override
    public void revokeToken(String tokenId, Instant expiresAt) {
        asking(store).revokeToken(tokenId, expiresAt);
    }

    @Override
    public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        asking(store).revokeTokenOf(subjectId, tokenId, expiresAt);
    }

    @Override
    public void revokeSubject(String subjectId, Instant notBefore) {
        asking(store).revokeSubject(subjectId, notBefore);
    }

    @Override
    public Instant notBefore(String subjectId) {
        return notBefore(store, subjectId);
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        return isTokenRevoked(store, tokenId);
    }

    /** The store's answer, as the interface demands: the copy's alone where that says yes. */
    @Override
    public boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
        return isSubjectRevoked(store, subjectId, issuedAt);
    }

    @Override
    public RevocationStore within(Duration longest) {
        return asking(store.within(longest));
    }

    private RevocationStore asking(SharedRevocationStore asked) {
        return new Asking(asked);
    }

    /** This copy, which asks a view of its store where it has to ask. */
    private final class Asking implements RevocationStore {

        private final SharedRevocationStore asked;

        Asking(SharedRevocationStore asked) {
            this.asked = asked;
        }

        @Override
        public void revokeToken(String tokenId, Instant expiresAt) {
            reader.keep(asked(() -> asked.recordToken(tokenId, expiresAt)));
        }

        @Override
        public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
            reader.keep(asked(() -> asked.recordTokenOf(subjectId, tokenId, expiresAt)));
        }

        @Override
        public void revokeSubject(String subjectId, Instant notBefore) {
            reader.keep(asked(() -> asked.recordSubject(subjectId, notBefore)));
        }

        @Override
        public Instant notBefore(String subjectId) {
            return LocalRevocations.this.notBefore(asked, subjectId);
        }

        @Override
        public boolean isTokenRevoked(String tokenId) {
            return LocalRevocations.this.isTokenRevoked(asked, tokenId);
        }

        @Override
        public boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
            return LocalRevocations.this.isSubjectRevoked(asked, subjectId, issuedAt);
        }

        @Override
        public RevocationStore within(Duration longest) {
            return asking(asked.within(longest));
        }
    }

    private Instant notBefore(SharedRevocationStore asked, String subjectId) {
        IdDigest id = subjects.of(subjectId);
        Instant known = copy.notBefore(id);
        if (isFresh()) {
            return known;
        }
        Instant stored = askStore(() -> asked.notBefore(subjectId), known);
        if (stored.isAfter(known)) {
            reader.keepForNow(id, stored);
            return stored;
        }
        return known;
    }

    private boolean isTokenRevoked(SharedRevocationStore asked, String tokenId) {
        IdDigest id = tokens.of(tokenId);
        if (copy.contains(id)) {
            return true;
        }
        if (isFresh() || !askStore(() -> asked.isTokenRevoked(tokenId), false)) {
            return false;
        }
        reader.keepForNow(id, Instant.MIN);
        return true;
    }

    private boolean isSubjectRevoked(SharedRevocationStore asked, String subjectId, Instant issuedAt) {
        return issuedAt.isBefore(copy.notBefore(subjects.of(subjectId)))
                || askStore(() -> asked.isSubjectRevoked(subjectId, issuedAt), false);
    }

    private boolean isFresh() {
        return reader.isNoOlderThan(settings.staleAfter());
    }

    private boolean mayAnswerStale() {
        return !settings.acceptStaleFor().isZero() && reader.isNoOlderThan(settings.acceptStaleFor());
    }

    /**
     * The store's answer; the copy's where it may answer alone. A store that has just failed is not asked: each request would wait for it as
     * long as the one before.
     */
    private <T> T askStore(Supplier<T> question, T known) {
        boolean hasJustFailed = isFailing
                && nanos.getAsLong() - failedAt < settings.refreshInterval().toNanos();
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
        failedAt = nanos.getAsLong();
        isFailing = true;
        reader.readAllNext();
    }

    @Override
    public String toString() {
        return "LocalRevocations" + status();
    }
}
