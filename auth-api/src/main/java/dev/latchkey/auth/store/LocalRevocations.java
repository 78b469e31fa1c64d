package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the entries in a {@link SharedRevocationStore}, so the check of a token needs no server.
 *
 * <p>{@link #refresh} reads new entries. Call this method every {@link LocalRevocationSettings#refreshInterval} on a
 * single thread. The copy answers alone until {@link LocalRevocationSettings#staleAfter} has passed since the last
 * reading. An older copy asks the store itself. Without the store's answer, the check is an outage.
 * {@link LocalRevocationSettings#acceptStaleFor} allows an older copy. A revocation in the copy counts, whatever the
 * store says.
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
     * @param wasRead whether all revocations of the store were read once, also if the copy has no room for all
     * @param age time since the copy was complete; empty if the copy never was, or has no room for all
     * @param isFresh whether the copy answers alone
     * @param isAnswering whether the copy or the store can answer, as far as known
     * @param isFailing whether the last call of the store failed
     */
    public record Status(
            int size,
            boolean wasRead,
            Optional<Duration> age,
            boolean isFresh,
            boolean isAnswering,
            boolean isFailing) {}

    /** The last failed call of the store, shared by all views of the copy. */
    private static final class Failure {

        /** The time of the last failed call; valid if {@link #isFailing}. */
        private volatile long at;

        private volatile boolean isFailing;
    }

    /** The least time of a call after which a failure counts as a failure of the store. */
    private static final Duration ENOUGH_TIME = StoreTime.OF_A_REQUEST.dividedBy(2);

    private final LocalRevocationSettings settings;
    private final LongSupplier nanos;
    private final RevocationCopy copy;
    private final RecentDigests tokens;
    private final RecentDigests subjects;
    private final CopyReader reader;
    private final Failure failure;

    /** For questions beyond the copy. */
    private final SharedRevocationStore store;

    /**
     * The time of each call in a view; null if questions beyond the copy use up the {@link StoreTime}. An answer of the copy
     * reads no clock.
     */
    private final @Nullable Duration longest;

    private LocalRevocations(
            SharedRevocationStore store, LocalRevocationSettings settings, InstantSource clock, LongSupplier nanos) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.nanos = nanos;
        this.copy = new RevocationCopy();
        this.tokens = new RecentDigests(IdDigest::ofToken);
        this.subjects = new RecentDigests(IdDigest::ofSubject);
        this.store = Objects.requireNonNull(store, "store");
        this.reader = new CopyReader(store.forReading(), copy, settings, clock, nanos);
        this.failure = new Failure();
        this.longest = null;
    }

    /** The same copy with a view of its store. */
    private LocalRevocations(LocalRevocations shared, Duration longest) {
        this.settings = shared.settings;
        this.nanos = shared.nanos;
        this.copy = shared.copy;
        this.tokens = shared.tokens;
        this.subjects = shared.subjects;
        this.reader = shared.reader;
        this.failure = shared.failure;
        this.store = shared.store.within(longest);
        this.longest = longest;
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
            failure.isFailing = false;
        } catch (AuthUnavailableException e) {
            noteFailure(e);
            throw e;
        }
    }

    /**
     * The present state of the copy.
     *
     * @return a snapshot, for health and meters
     */
    public Status status() {
        boolean isFresh = isFresh();
        boolean isFailing = failure.isFailing;
        return new Status(
                copy.size(),
                reader.wasRead(),
                reader.age(),
                isFresh,
                isFresh || !isFailing || mayAnswerStale(),
                isFailing);
    }

    /**
     * The settings of this copy.
     *
     * @return as given
     */
    public LocalRevocationSettings settings() {
        return settings;
    }

    @Override
    public void revokeToken(String tokenId, Instant expiresAt) {
        if (isKnown(tokenId, expiresAt)) {
            return;
        }
        reader.recorded(ask(within -> within.recordToken(tokenId, expiresAt)));
    }

    @Override
    public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        if (isKnown(tokenId, expiresAt)) {
            return;
        }
        reader.recorded(ask(within -> within.recordTokenOf(subjectId, tokenId, expiresAt)));
    }

    /** A repeated logout needs no call: the store had the entry, and gets it back after a loss. */
    private boolean isKnown(String tokenId, Instant expiresAt) {
        return copy.covers(Revocation.ofToken(tokenId, expiresAt));
    }

    /** A command of the service. One request may revoke many accounts, so each call has its own {@link StoreTime}. */
    @Override
    public void revokeSubject(String subjectId, Instant notBefore) {
        reader.recorded(StoreTime.forEachCall(() -> ask(within -> within.recordSubject(subjectId, notBefore))));
    }

    @Override
    public Instant notBefore(String subjectId) {
        IdDigest id = subjects.of(subjectId);
        return isFresh()
                ? copy.notBefore(id)
                : orLaterInTheCopy(id, askOrAcceptStale(within -> within.notBefore(subjectId), Instant.MIN));
    }

    /**
     * As the interface requires, the store answers. During an outage of the store, the call fails, whatever
     * {@link LocalRevocationSettings#acceptStaleFor} allows.
     */
    @Override
    public Instant currentNotBefore(String subjectId) {
        IdDigest id = subjects.of(subjectId);
        return orLaterInTheCopy(id, ask(within -> within.notBefore(subjectId)));
    }

    private Instant orLaterInTheCopy(IdDigest id, Instant stored) {
        Instant known = copy.notBefore(id);
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
        if (isFresh() || !askOrAcceptStale(within -> within.isTokenRevoked(tokenId), false)) {
            return false;
        }
        reader.keepForNow(id, Instant.MIN);
        return true;
    }

    /**
     * As the interface requires, the store answers. Only a revoked entry in the copy is enough. During an outage of the
     * store, the call fails, whatever {@link LocalRevocationSettings#acceptStaleFor} allows.
     */
    @Override
    public boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
        return issuedAt.isBefore(copy.notBefore(subjects.of(subjectId)))
                || askIfUp(within -> within.isSubjectRevoked(subjectId, issuedAt));
    }

    @Override
    public RevocationStore within(Duration longest) {
        return new LocalRevocations(this, longest);
    }

    /** Returns the store's answer, or the copy's if the store does not answer and the copy may answer alone. */
    private <T> T askOrAcceptStale(Function<SharedRevocationStore, T> question, T known) {
        try {
            return askIfUp(question);
        } catch (AuthUnavailableException e) {
            if (mayAnswerStale()) {
                return known;
            }
            throw e;
        }
    }

    /** A store with a failure a moment ago is not asked again: each request would wait for the store's deadline. */
    private <T> T askIfUp(Function<SharedRevocationStore, T> question) {
        boolean hasJustFailed = failure.isFailing
                && nanos.getAsLong() - failure.at < settings.refreshInterval().toNanos();
        if (hasJustFailed) {
            throw AuthUnavailableException.outage("The store of revocations did not answer a moment ago");
        }
        return ask(question);
    }

    private <T> T ask(Function<SharedRevocationStore, T> question) {
        return longest == null
                ? StoreTime.ofARequest().spend(left -> answerOf(store.within(left), left, question))
                : answerOf(store, longest, question);
    }

    /** Ignores the outage of a caller with little time. A store that is up may need more. */
    private <T> T answerOf(SharedRevocationStore asked, Duration time, Function<SharedRevocationStore, T> question) {
        try {
            return question.apply(asked);
        } catch (AuthUnavailableException e) {
            if (time.compareTo(ENOUGH_TIME) >= 0) {
                noteFailure(e);
            }
            throw e;
        }
    }

    private boolean isFresh() {
        return reader.isNoOlderThan(settings.staleAfter());
    }

    private boolean mayAnswerStale() {
        return !settings.acceptStaleFor().isZero() && reader.isNoOlderThan(settings.acceptStaleFor());
    }

    /**
     * Ignores the outage of an interrupted caller, and a call that was never sent. The store may be up, and the other
     * callers still need its answers. During an overload, a reading of all entries would prolong the overload.
     */
    private void noteFailure(AuthUnavailableException outage) {
        if (Thread.currentThread().isInterrupted() || outage.getCause() instanceof RejectedExecutionException) {
            return;
        }
        failure.at = nanos.getAsLong();
        failure.isFailing = true;
        reader.readAllNext();
    }

    @Override
    public String toString() {
        return "LocalRevocations" + status();
    }
}
