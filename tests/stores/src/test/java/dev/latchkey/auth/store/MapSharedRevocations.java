package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A shared store of a few lines: a row for each revocation, by position. It can be down, lose rows, hold rows back as a transaction does that has not
 * ended, and counts how often it is asked.
 */
class MapSharedRevocations implements SharedRevocationStore {

    private static final Duration LIFETIME = Duration.ofHours(1);

    private final TreeMap<Long, Revocation> rows = new TreeMap<>();
    private final TreeMap<Long, Revocation> heldBack = new TreeMap<>();
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

    /** What is revoked from now on has its position and is shown later. */
    synchronized void holdBack() {
        isHolding = true;
    }

    /** What was revoked until now stays held back, what is revoked from now on is shown. */
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

    /** What came after this position is lost, and positions go on from there. */
    synchronized void goBackTo(long position) {
        rows.tailMap(position, false).clear();
        last = position;
    }

    synchronized long lastPosition() {
        return last;
    }

    synchronized int rows() {
        return rows.size();
    }

    /** How often it was asked about a token or a subject since the last call of this. */
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
