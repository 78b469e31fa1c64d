package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketKey;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The clients that have shown the right password of one account, and the proof of each client. The number is limited.
 * If there are too many, the client with the weakest proof is forgotten; among equals, the oldest. Therefore a caller
 * with only the password cannot evict a client that passed the second factor. The lock guards a few operations in
 * memory. Safe for use by any number of threads.
 */
final class KnownClients {

    /** The proof of a client for the account, the weakest first. */
    enum Proof {
        /** The password was right, but no login has succeeded yet. */
        PASSWORD,
        /** A login needed only the password, or a remembered device replaced the other steps. */
        ONE_STEP,
        ALL_STEPS
    }

    private record Client(Proof proof, long endsAt) {}

    private final int most;

    /** By {@code AccountKeys.clientEntry}, in the order of the last proofs. */
    private final Map<BucketKey, Client> clients = new LinkedHashMap<>();

    /** @param most clients, at least 1 */
    KnownClients(int most) {
        this.most = most;
    }

    /** The client's proof; null if the client has shown no right password. */
    synchronized @Nullable Proof proofOf(BucketKey client, long now) {
        Client known = clients.get(client);
        return known == null || isOver(known, now) ? null : known.proof();
    }

    /**
     * Replaces the client's proof.
     *
     * @param endsAt the expiry of the entry
     */
    synchronized void proved(BucketKey client, Proof proof, long now, long endsAt) {
        // Removed first, because an update in place would keep the old order.
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
        // Among equals, the first is the oldest.
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
