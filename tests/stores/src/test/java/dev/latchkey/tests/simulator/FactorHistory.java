package dev.latchkey.tests.simulator;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.apikeys.IssuedKey;
import dev.latchkey.plugins.apikeys.KeyNode;
import dev.latchkey.plugins.codes.CodeNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A history of API keys and one-time codes at nodes with threads, over a real store. {@link FactorPromises} reads the
 * history afterwards. The nodes' clocks run faster than time, so that codes end within the history.
 */
final class FactorHistory implements AutoCloseable {

    interface Weather {
        void run(FactorHistory history) throws Exception;
    }

    private record Node(
            String name, AtomicReference<Duration> offset, InstantSource clock, KeyNode keys, CodeNode codes) {}

    private record Key(String account, String id, Secret text) {}

    private record RecoveryCode(String account, String name, Secret text) {}

    static final int MOST = 3;

    private static final int FASTER = 60;
    private static final int KEY_ACCOUNTS = 4;
    private static final int CODE_ACCOUNTS = 20;

    /** The number of uses of a recovery code, so that uses meet. */
    private static final int USES = 3;

    /** Spreads the codes over the accounts. */
    private static final int PRIME = 37;

    private final long begun = System.nanoTime();
    private final Instant begunAt = Instant.now();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger recoveryUses = new AtomicInteger();
    private final List<Op> ops = Collections.synchronizedList(new ArrayList<>());
    private final List<Key> keys = Collections.synchronizedList(new ArrayList<>());
    private final List<RecoveryCode> recovery = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Setting setting;
    private volatile boolean isOver;
    private volatile @Nullable Throwable failure;

    FactorHistory(Duration skew) {
        this.setting = new Setting(2, 6, false, false, true, false, MOST, false, KeyNode.SEEN_WITHIN, skew, 0, 0, 0, 0);
    }

    void add(String name, Duration ahead, DataSource database) {
        AtomicReference<Duration> offset = new AtomicReference<>(ahead);
        InstantSource clock = () ->
                begunAt.plus(Duration.ofNanos(nanos()).multipliedBy(FASTER)).plus(offset.get());
        nodes.add(new Node(name, offset, clock, new KeyNode(database, clock, MOST), new CodeNode(database, clock)));
    }

    /** Sets the clock of a node back or ahead. */
    void setClock(int node, Duration ahead) {
        nodes.get(node).offset().set(ahead);
    }

    /** The names of accounts differ in each history, because the table stays. */
    void enrol() {
        for (int i = 0; i < CODE_ACCOUNTS; i++) {
            enrol(account("codes", i), nodes.get(i % nodes.size()), nodes.get(i / 2 % nodes.size()));
        }
    }

    private void enrol(String account, Node node, Node confirming) {
        Op op = op(Op.Kind.ENROL, node, account, null);
        perform(op, () -> {
            List<Secret> codes = node.codes().enrol(account, confirming.codes());
            synchronized (recovery) {
                for (Secret code : codes) {
                    String name = "r" + recovery.size();
                    op.ids.add(name);
                    recovery.add(new RecoveryCode(account, name, code));
                }
            }
            return !codes.isEmpty();
        });
    }

    private String account(String kind, int number) {
        return kind + number + "-" + begun;
    }

    History run(int clients, Weather weather) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            Random random = new Random(i);
            threads.add(thread(() -> act(random)));
        }
        try {
            weather.run(this);
        } finally {
            isOver = true;
            for (Thread each : threads) {
                each.join(TimeUnit.SECONDS.toMillis(60));
            }
        }
        if (failure != null || threads.stream().anyMatch(Thread::isAlive)) {
            throw new IllegalStateException("A client did not end well", failure);
        }
        return new History(setting, List.copyOf(ops), List.of(), List.of(), List.of(), session -> false);
    }

    /** Waits for this many further operations with such an answer. */
    void awaitMore(int count, Op.Result result) {
        long before = count(result);
        long start = System.nanoTime();
        while (count(result) < before + count) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(60) || failure != null) {
                throw new IllegalStateException("Operations with " + result + ": " + count(result), failure);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private long count(Op.Result result) {
        synchronized (ops) {
            return ops.stream().filter(op -> op.result == result).count();
        }
    }

    private Thread thread(Runnable step) {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (!isOver) {
                            step.run();
                        }
                    } catch (RuntimeException | Error e) {
                        failure = e;
                    }
                },
                "client");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void act(Random random) {
        Node node = nodes.get(random.nextInt(nodes.size()));
        int drawn = random.nextInt(100);
        if (drawn < 30) {
            issue(node, account("keys", random.nextInt(KEY_ACCOUNTS)));
        } else if (drawn < 50) {
            useKey(node, random);
        } else if (drawn < 65) {
            revoke(node, random);
        } else if (drawn < 68) {
            list(node, account("keys", random.nextInt(KEY_ACCOUNTS)));
        } else if (drawn < 82) {
            useCode(node, random);
        } else if (drawn < 84) {
            enrolAnew(node, random);
        } else {
            useRecoveryCode(node, random);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(20)));
    }

    private void issue(Node node, String account) {
        Op op = op(Op.Kind.ISSUE_KEY, node, account, null);
        perform(op, () -> {
            IssuedKey issued = node.keys().issue(account).orElse(null);
            if (issued != null) {
                op.answer = issued.key().id();
                keys.add(new Key(account, issued.key().id(), issued.text()));
            }
            return issued != null;
        });
    }

    private @Nullable Key recentKey(Random random) {
        synchronized (keys) {
            return keys.isEmpty() ? null : keys.get(Math.max(0, keys.size() - 1 - random.nextInt(12)));
        }
    }

    private void useKey(Node node, Random random) {
        Key key = recentKey(random);
        if (key != null) {
            perform(
                    op(Op.Kind.USE_KEY, node, key.account(), key.id()),
                    () -> node.keys().accepts(key.text()));
        }
    }

    private void revoke(Node node, Random random) {
        Key key = recentKey(random);
        if (key != null) {
            perform(op(Op.Kind.REVOKE_KEY, node, key.account(), key.id()), () -> {
                node.keys().revoke(key.account(), key.id());
                return true;
            });
        }
    }

    private void list(Node node, String account) {
        Op op = op(Op.Kind.LIST_KEYS, node, account, null);
        perform(op, () -> op.ids.addAll(node.keys().list(account)) || op.ids.isEmpty());
    }

    /** A code of the time of one node, at any node. */
    private void useCode(Node app, Random random) {
        String account = account("codes", random.nextInt(CODE_ACCOUNTS));
        Node node = nodes.get(random.nextInt(nodes.size()));
        long step = app.codes().step() + random.nextInt(3) - 1;
        Secret code;
        try {
            code = app.codes().codeAt(account, step).orElse(null);
        } catch (AuthUnavailableException e) {
            return;
        }
        if (code != null) {
            // After another enrolment the same step has another code.
            String name = "step " + step + " " + code.<String>withText(CharSequence::toString);
            perform(
                    op(Op.Kind.USE_CODE, node, account, name),
                    () -> node.codes().use(account, code));
        }
    }

    /** The account is deleted and made anew. */
    private void enrolAnew(Node node, Random random) {
        String account = account("codes", random.nextInt(CODE_ACCOUNTS));
        perform(op(Op.Kind.REMOVE_CODES, node, account, null), () -> {
            node.codes().remove(account);
            return true;
        });
        enrol(account, nodes.get(random.nextInt(nodes.size())), nodes.get(random.nextInt(nodes.size())));
    }

    /** The next uses of a code come at once, and sometimes an old code is tried. */
    private void useRecoveryCode(Node node, Random random) {
        int number = random.nextInt(10) == 0 ? random.nextInt(1_000) : recoveryUses.getAndIncrement() / USES * PRIME;
        RecoveryCode code;
        synchronized (recovery) {
            code = recovery.get(number % recovery.size());
        }
        perform(
                op(Op.Kind.USE_CODE, node, code.account(), code.name()),
                () -> node.codes().use(code.account(), code.text()));
    }

    private Op op(Op.Kind kind, Node node, String account, @Nullable String token) {
        return new Op(
                kind,
                new Op.At(node.name(), 0, "shop", node.clock().instant()),
                account,
                null,
                token,
                nanos(),
                numbers.incrementAndGet());
    }

    private void perform(Op op, Supplier<Boolean> action) {
        ops.add(op);
        Op.Result result;
        try {
            result = action.get() ? Op.Result.DONE : Op.Result.REFUSED;
        } catch (AuthUnavailableException e) {
            result = Op.Result.OUTAGE;
        }
        op.endNanos = nanos();
        op.end = numbers.incrementAndGet();
        op.result = result;
    }

    private long nanos() {
        return System.nanoTime() - begun;
    }

    @Override
    public void close() {
        nodes.forEach(node -> node.keys().close());
    }
}
