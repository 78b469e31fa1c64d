package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A shared store of a few lines: a row for each revocation, by position. The test can take the store down, remove rows, and
 * hold rows back like an open transaction. The store counts its calls.
 */
class MapSharedRevocations implements SharedRevocationStore {

    private static final Duration LIFETIME = Duration.ofHours(1);

    private final TreeMap<Long, Revocation> rows = new TreeMap<>();
    private final TreeMap<Long, Revocation> heldBack = new TreeMap<>();
    InstantSource clock = () -> Instant.EPOCH;
    private long last;
    private boolean isDown;
    private boolean isHolding;
    private int questions;

    synchronized void breakDown() {
        isDown = true;
    }

    synchronized void repair() {
        isDown = false;
    }

    /** From now on, revocations have their position and become visible later. */
    synchronized void holdBack() {
        isHolding = true;
    }

    /** Earlier revocations stay held back, and later revocations are visible. */
    synchronized void showOthers() {
        isHolding = false;
    }

    synchronized void showHeldBack() {
        rows.putAll(heldBack);
        heldBack.clear();
    }

    synchronized void loseAll() {
        rows.clear();
    }

    /** Removes the entries after this position. Positions go on from there. */
    synchronized void goBackTo(long position) {
        rows.tailMap(position, false).clear();
        last = position;
    }

    /** Removes the entries up to this position. */
    synchronized void loseUpTo(long position) {
        rows.headMap(position, true).clear();
    }

    synchronized long lastPosition() {
        return last;
    }

    synchronized int rows() {
        return rows.size();
    }

    /** The number of questions about tokens and subjects since the last call. */
    synchronized int questions() {
        int asked = questions;
        questions = 0;
        return asked;
    }

    @Override
    public Revocation recordToken(String tokenId, Instant expiresAt) {
        return record(Revocation.ofToken(tokenId, expiresAt));
    }

    @Override
    public Revocation recordTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        return recordToken(tokenId, expiresAt);
    }

    @Override
    public Revocation recordSubject(String subjectId, Instant notBefore) {
        return record(Revocation.ofSubject(subjectId, notBefore, LIFETIME));
    }

    @Override
    public synchronized Instant notBefore(String subjectId) {
        IdDigest id = IdDigest.ofSubject(subjectId);
        questions += subjectId.equals(CopyReader.MARK) ? 0 : 1;
        return answer(() -> rows.values().stream()
                .filter(each -> each.id().equals(id))
                .map(Revocation::notBefore)
                .max(Instant::compareTo)
                .orElse(Instant.MIN));
    }

    @Override
    public synchronized boolean isTokenRevoked(String tokenId) {
        IdDigest id = IdDigest.ofToken(tokenId);
        questions++;
        return answer(() -> rows.values().stream().anyMatch(each -> each.id().equals(id)));
    }

    @Override
    public synchronized List<Recorded> recordedAfter(long position, int most) {
        return answer(() -> {
            List<Recorded> page = new ArrayList<>();
            for (Map.Entry<Long, Revocation> row : rows.tailMap(position, false).entrySet()) {
                if (page.size() < most) {
                    page.add(new Recorded(row.getKey(), row.getValue()));
                }
            }
            return page;
        });
    }

    @Override
    public synchronized void restore(List<Revocation> lost) {
        lost.forEach(this::record);
    }

    synchronized Revocation record(Revocation revocation) {
        return answer(() -> {
            last++;
            (isHolding ? heldBack : rows).put(last, revocation);
            return revocation;
        });
    }

    private <T> T answer(Supplier<T> question) {
        if (isDown) {
            throw AuthUnavailableException.outage("The store is switched off");
        }
        return question.get();
    }
}
