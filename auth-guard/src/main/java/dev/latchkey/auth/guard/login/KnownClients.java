package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The clients from which one account has logged in, and what each has proved. There are at most so many of them.
 *
 * <p>Where one more comes, the client that has proved the least is forgotten. Of several such clients it is the one that proved it longest ago. So
 * a caller who has the password and not the second factor pushes none out that has passed both. The lock guards a few operations in memory. Safe for
 * use by any number of threads.
 */
final class KnownClients {

    /** What a client has proved for the account, the least first. */
    enum Proof {
        /** The password was right, but no login has succeeded yet. */
        PASSWORD,
        /** A login needed the password alone, or a remembered device stood for the rest. */
        ONE_STEP,
        ALL_STEPS
    }

    private record Client(Proof proof, long endsAt) {}

    private final int most;

    /** By the key of the account at the client, in the order of the last proofs. */
    private final Map<BucketKey, Client> clients = new LinkedHashMap<>();

    /** @param most clients, at least 1 */
    KnownClients(int most) {
        this.most = most;
    }

    /** What this client has proved; null where nothing is known of it. */
    synchronized @Nullable Proof proofOf(BucketKey client, long now) {
        Client known = clients.get(client);
        return known == null || isOver(known, now) ? null : known.proof();
    }

    /**
     * Notes what a client has proved, in place of what was known of it.
     *
     * @param endsAt when it is forgotten
     */
    synchronized void proved(BucketKey client, Proof proof, long now, long endsAt) {
        // Taken out first, since a map that is written to in place keeps its order.
        clients.remove(client);
        clients.put(client, new Client(proof, endsAt));
        if (clients.size() > most) {
            clients.values().removeIf(known -> isOver(known, now));
        }
        if (clients.size() > most) {
            clients.remove(leastProved());
        }
    }

    private BucketKey leastProved() {
        // The first of equals, which is the oldest.
        return Collections.min(
                        clients.entrySet(),
                        Comparator.comparing(entry -> entry.getValue().proof()))
                .getKey();
    }

    synchronized int size() {
        return clients.size();
    }

    private static boolean isOver(Client known, long now) {
        return now - known.endsAt() >= 0;
    }
}
