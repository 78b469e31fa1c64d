package dev.latchkey.examples.nodes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Promises of the nodes to callers, and a text for each broken promise. At the end, no text is allowed. */
final class Promises {

    /**
     * A login with an acknowledged logout.
     *
     * @param author the acknowledging node
     * @param toldAt the time of the acknowledgement, by {@link System#nanoTime()}
     */
    record Ended(String access, String refresh, int author, long toldAt) {}

    final AtomicInteger logins = new AtomicInteger();
    final AtomicInteger refreshes = new AtomicInteger();
    final AtomicInteger toldTwice = new AtomicInteger();
    final AtomicInteger accepted = new AtomicInteger();
    final AtomicInteger refused = new AtomicInteger();
    final AtomicInteger notYetSeen = new AtomicInteger();
    final AtomicInteger outages = new AtomicInteger();
    final AtomicLong longestNanos = new AtomicLong();
    final List<Ended> ended = Collections.synchronizedList(new ArrayList<>());
    private final Queue<String> broken = new ConcurrentLinkedQueue<>();

    void isBroken(String by) {
        broken.add(by);
    }

    List<String> broken() {
        return List.copyOf(broken);
    }

    /** Waits until there is so much more of everything. */
    void awaitMore(int many) {
        int loginsBefore = logins.get();
        int refreshesBefore = refreshes.get();
        int endedBefore = ended.size();
        int acceptedBefore = accepted.get();
        int refusedBefore = refused.get();
        Patience.until(
                "more of everything than " + this + ", of each " + many,
                () -> logins.get() >= loginsBefore + many
                        && refreshes.get() >= refreshesBefore + many
                        && ended.size() >= endedBefore + many
                        && accepted.get() >= acceptedBefore + many
                        && refused.get() >= refusedBefore + many);
    }

    @Override
    public String toString() {
        return String.format(
                "Acknowledged: %d logins, %d refreshes (%d told twice), %d logouts; good tokens accepted: %d; ended tokens refused: %d, not yet: %d; "
                        + "outages: %d; the longest call: %d ms; promises broken: %d",
                logins.get(),
                refreshes.get(),
                toldTwice.get(),
                ended.size(),
                accepted.get(),
                refused.get(),
                notYetSeen.get(),
                outages.get(),
                longestNanos.get() / 1_000_000,
                broken.size());
    }
}
