package dev.latchkey.throttle;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Serves the clients in turn, and each client's entries in order. A client with a thousand connections gets one turn in
 * each round, like every other client. Adding, serving and removing take constant time. Not safe for use by several
 * threads.
 */
final class RoundRobinQueue<E> {

    private final Map<Object, Set<E>> clients = new LinkedHashMap<>();
    private int size;

    void add(Object client, E entry) {
        if (clients.computeIfAbsent(client, any -> new LinkedHashSet<>()).add(entry)) {
            size++;
        }
    }

    /** The next entry; null if there is none. */
    @Nullable
    E head() {
        for (Set<E> entries : clients.values()) {
            return entries.iterator().next();
        }
        return null;
    }

    /** Ends the client's turn: all other clients come first now. */
    void rotate(Object client) {
        Set<E> entries = clients.remove(client);
        if (entries != null) {
            clients.put(client, entries);
        }
    }

    /** Removes the entry; false if the entry was absent. */
    boolean remove(Object client, E entry) {
        Set<E> entries = clients.get(client);
        if (entries == null || !entries.remove(entry)) {
            return false;
        }
        if (entries.isEmpty()) {
            clients.remove(client);
        }
        size--;
        return true;
    }

    int size() {
        return size;
    }
}
