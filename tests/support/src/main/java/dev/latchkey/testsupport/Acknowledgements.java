package dev.latchkey.testsupport;

import static dev.latchkey.testsupport.Until.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The acknowledgements and answers of nodes during endless revocations and refreshes. Each acknowledgement is kept. Each answer
 * that breaks a promise is kept as a text, and in the end there must be no such text:
 *
 * <ul>
 * <li>a node accepts a token after the node has recorded or reported the revocation of the token;
 * <li>a node accepts a revoked token, although the node's last reading began after the acknowledgement, with a store that
 * loses nothing;
 * <li>a refresh token is good twice;
 * <li>a call hangs.
 * </ul>
 */
public final class Acknowledgements implements AutoCloseable {

    /** Whether the store may return to a state before an acknowledgement, as after a failover. */
    public enum Store {
        LOSES_NOTHING,
        MAY_GO_BACK
    }

    private record Revoked(String token, StoreNode author, long acknowledgedAt) {}

    /** Less than a minute, the driver's limit for a call without a deadline. More than a deadline, for a busy machine. */
    private static final Duration HANGS = Duration.ofSeconds(15);

    private static final int LOGINS = 20;
    private static final long PAUSE_NANOS = Duration.ofMillis(1).toNanos();

    private final Store store;
    private final List<StoreNode> nodes;
    private final Instant end = Instant.now().plus(StoreNode.LIFETIME);
    private final List<Revoked> revoked = Collections.synchronizedList(new ArrayList<>());
    private final Set<String> used = ConcurrentHashMap.newKeySet();
    private final Queue<String> broken = new ConcurrentLinkedQueue<>();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger outages = new AtomicInteger();
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicLong longestNanos = new AtomicLong();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();
    private boolean isProlonging;
    private volatile boolean isOver;

    /**
     * @param nodes on the same store
     */
    public Acknowledgements(Store store, StoreNode... nodes) {
        this.store = store;
        this.nodes = List.of(nodes);
    }

    /** From now on, each node revokes tokens, and answers about the tokens of all nodes. */
    public Acknowledgements revoking() {
        for (StoreNode node : nodes) {
            forEver(() -> revoke(node));
            Set<String> known = new HashSet<>();
            Random random = new Random(nodes.indexOf(node));
            forEver(() -> ask(node, known, random));
        }
        return this;
    }

    /** From now on, all nodes refresh the same logins. */
    public Acknowledgements prolonging() {
        isProlonging = true;
        for (int i = 0; i < LOGINS; i++) {
            StoredLogin login = login("login" + i, "first" + i);
            until(() -> timed(() -> started(login)).isPresent());
        }
        for (StoreNode node : nodes) {
            Random random = new Random(nodes.indexOf(node));
            forEver(() -> prolong(node, "login" + random.nextInt(LOGINS)));
        }
        return this;
    }

    private void forEver(Runnable step) {
        running.add(threads.submit(() -> {
            while (!isOver) {
                step.run();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }));
    }

    private void revoke(StoreNode node) {
        String token = "token" + made.incrementAndGet();
        if (timed(() -> revoked(node, token)).isPresent() && node.answer(token) != StoreNode.Answer.REFUSED) {
            broken.add(token + " was acknowledged by a node that does not refuse it");
        }
    }

    private Revoked revoked(StoreNode node, String token) {
        node.copy().revokeToken(token, end);
        Revoked made = new Revoked(token, node, System.nanoTime());
        revoked.add(made);
        return made;
    }

    private void ask(StoreNode node, Set<String> known, Random random) {
        int size = revoked.size();
        if (size == 0) {
            return;
        }
        Revoked one = revoked.get(random.nextInt(size));
        boolean mustKnow = one.author() == node
                || known.contains(one.token())
                || (store == Store.LOSES_NOTHING && node.hasReadAfter(one.acknowledgedAt()));
        questions.incrementAndGet();
        switch (timed(() -> node.answer(one.token())).orElseThrow()) {
            case REFUSED -> {
                refusals.incrementAndGet();
                known.add(one.token());
            }
            case ACCEPTED -> {
                if (mustKnow) {
                    broken.add(one.token() + " is accepted by a node that knew it");
                }
            }
            case OUTAGE -> {
                // An outage accepts no token.
            }
        }
    }

    /** Uses up the previous token. Of several parallel attempts, only a single attempt may succeed. */
    private void prolong(StoreNode node, String id) {
        Optional<StoredLogin> before = timed(() -> node.logins().find(id)).flatMap(found -> found);
        String next = id + "-" + made.incrementAndGet();
        before.ifPresent(login -> {
            boolean isUsed = timed(() -> node.logins().replace(login.tokenHash(), login(id, next)))
                    .orElse(false);
            if (isUsed && !used.add(id + " " + login.tokenHash())) {
                broken.add(login.tokenHash() + " was good twice");
            }
        });
    }

    private StoredLogin login(String id, String tokenHash) {
        return new StoredLogin(id, "users", "ada", tokenHash, "", Set.of(), Instant.EPOCH, end, end, null);
    }

    private StoredLogin started(StoredLogin login) {
        nodes.get(0).logins().start(login);
        return login;
    }

    private interface Call<T> {
        T ask();
    }

    private <T> Optional<T> timed(Call<T> call) {
        long begun = System.nanoTime();
        try {
            return Optional.of(call.ask());
        } catch (AuthUnavailableException e) {
            outages.incrementAndGet();
            return Optional.empty();
        } finally {
            longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
        }
    }

    /** Waits for this number of further revocations, and of further refreshes after {@link #prolonging}. */
    public void awaitMore(int many) {
        int revokedBefore = revoked.size();
        int usedBefore = used.size();
        until(() -> revoked.size() >= revokedBefore + many && (!isProlonging || used.size() >= usedBefore + many));
    }

    /** Waits for this number of further revocations, also if each refresh is an outage meanwhile. */
    public void awaitMoreRevocations(int many) {
        int before = revoked.size();
        until(() -> revoked.size() >= before + many);
    }

    /** The number of calls that were outages so far. */
    public int outages() {
        return outages.get();
    }

    /** Stops, prints the counts, and asks each of these nodes about every revocation. */
    public void assertKeptBy(StoreNode... all) throws Exception {
        isOver = true;
        for (Future<?> each : running) {
            each.get(60, TimeUnit.SECONDS);
        }
        System.out.printf(
                "Acknowledged: %d revocations, %d refreshes; outages: %d; refused meanwhile: %d of %d; the longest call: %d ms; "
                        + "promises broken: %d%n",
                revoked.size(),
                used.size(),
                outages.get(),
                refusals.get(),
                questions.get(),
                TimeUnit.NANOSECONDS.toMillis(longestNanos.get()),
                broken.size());
        for (StoreNode node : all) {
            until(node::hasRefreshed);
            for (Revoked each : revoked) {
                assertTrue(node.copy().isTokenRevoked(each.token()), each.token());
            }
            // A stale copy asks the store, and this call may be an outage on a busy machine.
            until(() -> node.answer("never-revoked") != StoreNode.Answer.OUTAGE);
            assertNotEquals(StoreNode.Answer.REFUSED, node.answer("never-revoked"));
        }
        assertEquals(List.of(), List.copyOf(broken));
        assertTrue(longestNanos.get() < HANGS.toNanos(), () -> "A call took " + Duration.ofNanos(longestNanos.get()));
    }

    @Override
    public void close() {
        isOver = true;
        threads.shutdownNow();
    }
}
