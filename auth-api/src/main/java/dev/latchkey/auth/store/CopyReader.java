package dev.latchkey.auth.store;

import dev.latchkey.auth.store.SharedRevocationStore.Recorded;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reads the entries of a {@link SharedRevocationStore} into a {@link RevocationCopy}, and restores entries that the
 * store has lost.
 *
 * <p><b>A store that has lost entries.</b> After each failed call, and every ten minutes, a node reads all entries and
 * writes the missing entries. A store may also be emptied while all nodes continue to read. For this case the store
 * contains a mark: the bound of a subject that does not exist. A node that does not find its known mark reads all
 * entries, restores the missing entries, and sets a higher mark. Then the other nodes do the same. A store may also
 * lose only its latest entries and continue. In such a store, each reading leaves a
 * {@link SharedRevocationStore#leaveTrace trace}. {@link ReadFloor} notices a loss between a reading and its trace.
 *
 * <p><b>A long reading of all entries.</b> A reading of a million entries may take longer than the copy may answer alone.
 * All token checks would then call the store. Therefore the node also reads the latest entries during such a reading,
 * with the same checks as in a usual reading. The pages of all entries only add entries to the copy. If a check fails,
 * or if the copy may lack entries, the copy becomes fresh only after the reading of all entries.
 */
final class CopyReader {

    /**
     * The subject of the mark, the name of no account. If an account had this name, its bounds would be lower than each
     * mark, and would change no mark.
     */
    static final String MARK = "\0mark of a store that was read";

    static final Duration READ_ALL_INTERVAL = Duration.ofMinutes(10);

    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

    /** The additional time for which this node keeps expired entries, by its own clock. */
    static final Duration KEPT_LONGER = Duration.ofMinutes(1);

    private static final int PAGE = 5_000;
    private static final IdDigest MARK_ID = IdDigest.ofSubject(MARK);

    /** Stores treat a time after the year 9999 as the end of that year. */
    private static final Instant LOWEST_MARK = Instant.parse("9999-01-01T00:00:00Z");

    private static final int FIRST_MARKS = 30_000_000;

    private final SharedRevocationStore store;
    private final RevocationCopy copy;
    private final LocalRevocationSettings settings;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final LostRevocations lost;

    /** Held while the store is read. The lock guards the fields below. */
    private final ReentrantLock reading = new ReentrantLock();

    private final ReadFloor floor;
    private long losses;
    private Instant mark = Instant.MIN;
    private long readAllAt;

    /**
     * Whether the copy may lack entries below the floor, until a reading of all entries has ended. This is the case at
     * first, after a loss of the store, and after a clock that was ahead.
     */
    private boolean mayLackEntries = true;

    private Instant sweptAt = Instant.MIN;

    /** The start of the last reading of the latest entries; valid if {@link #isComplete}. */
    private volatile long readAt;

    private volatile boolean isComplete;
    private volatile boolean mustReadAll = true;

    /** The number of revocations that had no room. */
    private final AtomicLong leftOut = new AtomicLong();

    /**
     * {@link #leftOut} at the start of the last complete reading of all entries. A full copy stays full during such a
     * reading. Otherwise the copy would answer alone meanwhile, without the revocations that had no room.
     */
    private volatile long leftOutBefore;

    CopyReader(
            SharedRevocationStore store,
            RevocationCopy copy,
            LocalRevocationSettings settings,
            InstantSource clock,
            LongSupplier nanos) {
        this.store = store;
        this.copy = copy;
        this.settings = settings;
        this.clock = clock;
        this.nanos = nanos;
        this.lost = new LostRevocations(store, copy);
        this.floor = new ReadFloor(store.lateness());
    }

    boolean isNoOlderThan(Duration age) {
        return isComplete && !isFull() && nanos.getAsLong() - readAt <= age.toNanos();
    }

    boolean wasRead() {
        return isComplete;
    }

    /** The age of the copy; empty if the copy was never read completely, or does not fit. */
    Optional<Duration> age() {
        return isComplete && !isFull() ? Optional.of(Duration.ofNanos(nanos.getAsLong() - readAt)) : Optional.empty();
    }

    private boolean isFull() {
        return leftOut.get() > leftOutBefore;
    }

    /** Makes the next reading read all entries: the node or the store may have lost an entry. */
    void readAllNext() {
        mustReadAll = true;
    }

    /** Keeps a revocation that this node has recorded. */
    void recorded(Revocation revocation) {
        keep(revocation);
        lost.recorded(revocation);
    }

    /** Adds the revocation to the copy, if there is room and the revocation has not expired. */
    private void keep(Revocation revocation) {
        if (revocation.id().equals(MARK_ID) || revocation.until().isBefore(forgetBefore())) {
            return;
        }
        if (copy.size() >= settings.maximumSize() && !copy.contains(revocation.id())) {
            leftOut.incrementAndGet();
        } else {
            copy.add(revocation);
        }
    }

    /**
     * Keeps the store's answer until a reading delivers the entry with its own end. A reading in progress may have
     * begun before the revocation was recorded. Without this method, the resulting copy would answer alone, and accept
     * the revoked token for a moment.
     */
    void keepForNow(IdDigest id, Instant notBefore) {
        keep(new Revocation(id, notBefore, clock.instant().plus(KEPT_LONGER)));
    }

    void read() {
        reading.lock();
        try {
            long begun = nanos.getAsLong();
            sweepIfDue();
            Instant present = store.notBefore(MARK);
            mayLackEntries |= !present.equals(mark);
            boolean isDue = begun - readAllAt >= READ_ALL_INTERVAL.toNanos();
            if (mustReadAll || isDue || mayLackEntries || !readOn(begun)) {
                readAll(begun, present);
            }
            long noticed = store.leaveTrace();
            if (noticed != losses) {
                losses = noticed;
                mayLackEntries = true;
                readAll(begun, store.notBefore(MARK));
            }
            if (!isComplete || begun - readAt > 0) {
                readAt = begun;
            }
            isComplete = true;
        } finally {
            reading.unlock();
        }
    }

    /** During a reading of all entries: a usual reading of the latest entries, at the usual interval. */
    private void readOnMeanwhile() {
        long begun = nanos.getAsLong();
        if (mayLackEntries
                || isFull()
                || begun - readAt < settings.refreshInterval().toNanos()) {
            return;
        }
        if (store.notBefore(MARK).equals(mark) && readOn(begun) && store.leaveTrace() == losses) {
            readAt = begun;
        } else {
            mayLackEntries = true;
        }
    }

    /**
     * Reads the entries above the floor. Returns whether the store still has the entries that the last reading found
     * above the floor.
     */
    private boolean readOn(long begun) {
        RevocationCopy stored = new RevocationCopy();
        LastRead found = readAfter(floor.position(), () -> {}, each -> {
            keep(each);
            stored.add(each);
        });
        if (!floor.isContinuedBy(stored, clock.instant())) {
            mayLackEntries = true;
            return false;
        }
        floor.readOn(begun, nanos.getAsLong(), found);
        return true;
    }

    private void readAll(long begun, Instant present) {
        mustReadAll = false;
        long leftOutSoFar = leftOut.get();
        try {
            RevocationCopy stored = new RevocationCopy();
            boolean hasNothing = copy.size() == 0;
            LastRead found = readAfter(0, this::readOnMeanwhile, each -> {
                keep(each);
                // Only entries of the copy can be restored. The store may have any number of further entries.
                if (!hasNothing && copy.contains(each.id())) {
                    stored.add(each);
                }
            });
            floor.readAll(nanos.getAsLong(), found);
            boolean hasLost = !hasNothing && restoreLost(stored, found.highest());
            if (hasLost || present.equals(Instant.MIN)) {
                Instant known = present.isAfter(mark) ? present : mark;
                mark = store.recordSubject(MARK, known.isBefore(LOWEST_MARK) ? firstMark() : known)
                        .notBefore();
            } else {
                mark = present;
            }
            readAllAt = begun;
            leftOutBefore = leftOutSoFar;
            mayLackEntries = false;
        } catch (RuntimeException e) {
            mustReadAll = true;
            throw e;
        }
    }

    /**
     * The first mark depends on the present time. Otherwise a node that starts with an emptied store would set the mark
     * that the other nodes know. The other nodes would then not notice the loss.
     */
    private Instant firstMark() {
        return LOWEST_MARK.plusSeconds(Math.floorMod(clock.instant().getEpochSecond(), FIRST_MARKS));
    }

    /**
     * Restores the entries that the store has lost. Reads once more, because a revocation during the reading is no loss. Returns
     * whether any entry was missing.
     *
     * @param stored the entries of the copy that the reading has found
     * @param highest the highest position that the reading has found
     */
    private boolean restoreLost(RevocationCopy stored, long highest) {
        List<Revocation> missing = lost.missingIn(stored, clock.instant());
        if (!missing.isEmpty()) {
            LastRead unused = readAfter(ReadFloor.belowTheRecent(highest), () -> {}, stored::add);
            missing.removeIf(each -> LostRevocations.has(stored, each));
        }
        lost.restore(missing, this::readOnMeanwhile);
        return !missing.isEmpty();
    }

    /**
     * Reads the entries after this position.
     *
     * @param beforeEachPage runs before each call of the store
     */
    private LastRead readAfter(long position, Runnable beforeEachPage, Consumer<Revocation> each) {
        LastRead found = new LastRead(position);
        List<Recorded> page;
        do {
            beforeEachPage.run();
            page = store.recordedAfter(found.highest(), PAGE);
            for (Recorded recorded : page) {
                each.accept(recorded.revocation());
                found.add(recorded);
            }
        } while (page.size() == PAGE);
        return found;
    }

    private void sweepIfDue() {
        Instant now = clock.instant();
        if (now.isBefore(sweptAt)) {
            // The clock was set back: the last sweep may have removed entries that are valid again.
            sweptAt = now;
            mayLackEntries = true;
        }
        if (!now.isBefore(sweptAt.plus(SWEEP_INTERVAL))) {
            sweptAt = now;
            copy.sweep(forgetBefore());
            if (isFull() && copy.size() < settings.maximumSize()) {
                mustReadAll = true;
            }
        }
    }

    private Instant forgetBefore() {
        return clock.instant().minus(KEPT_LONGER);
    }
}
