package dev.latchkey.auth.store;

import dev.latchkey.auth.store.SharedRevocationStore.Recorded;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last entries of one reading of a {@link SharedRevocationStore}, and the highest position. For one thread. */
final class LastRead {

    /**
     * The maximum number of entries kept. After a loss, a reading from a low position has all restored entries.
     */
    static final int MOST = 10_000;

    private final Deque<Recorded> last = new ArrayDeque<>();
    private long highest;

    /** A reading of the entries after this position. */
    LastRead(long position) {
        this.highest = position;
    }

    void add(Recorded entry) {
        highest = entry.position();
        last.add(entry);
        if (last.size() > MOST) {
            last.removeFirst();
        }
    }

    /** The highest position, or the position before the reading if no entry was found. */
    long highest() {
        return highest;
    }

    List<Recorded> after(long position) {
        return last.stream().filter(each -> each.position() > position).toList();
    }
}
