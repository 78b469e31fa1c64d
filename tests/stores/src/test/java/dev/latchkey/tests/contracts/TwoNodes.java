package dev.latchkey.tests.contracts;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two nodes whose only locks are in the nodes. A call of the first node and a call of the second node meet between their reading
 * and their writing. With a single node no call waits, so a rule with a single node finds nothing.
 */
public final class TwoNodes {

    private final AtomicInteger nodes = new AtomicInteger();
    private final Map<String, Exchanger<Instant>> meetings = new ConcurrentHashMap<>();

    /** Counts a node. */
    public int opened() {
        return nodes.incrementAndGet();
    }

    /** Waits for a call of the other node with this id. */
    public void meet(String id) {
        exchanged(id, Instant.MIN);
    }

    /** Waits for a call of the other node with this id. Then the later of both ends is written first. */
    public void writeLaterFirst(String id, Instant end, Runnable write) {
        boolean isSecond = end.isBefore(exchanged(id, end));
        if (isSecond) {
            meet(id);
        }
        write.run();
        if (!isSecond) {
            meet(id);
        }
    }

    private Instant exchanged(String id, Instant mine) {
        if (nodes.get() < 2) {
            return mine;
        }
        try {
            return meetings.computeIfAbsent(id, any -> new Exchanger<>()).exchange(mine, 10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
