package dev.latchkey.tests.simulator;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.login.SimulatedNode;
import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.SharedRevocationStore;
import dev.latchkey.auth.store.StoreTime;
import dev.latchkey.auth.store.StoredLogin;
import dev.latchkey.auth.store.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A history of nodes with threads, over a real store. {@link Promises} reads the history afterwards. */
final class RealHistory {

    /** The way to the stores of one node. */
    interface Ways {
        LoginStore logins(InstantSource clock);

        SharedRevocationStore revocations(InstantSource clock);
    }

    private static final String[] SUBJECTS = {"ann", "bob"};
    private static final long READ_EACH = TimeUnit.MILLISECONDS.toNanos(300);
    private static final Duration WINDOW = Duration.ofSeconds(1);

    /** The operation of each thread. */
    private static final ThreadLocal<@Nullable Op> OP = new ThreadLocal<>();

    private final long begun = System.nanoTime();
    private final AtomicInteger numbers = new AtomicInteger();
    private final List<Op> ops = Collections.synchronizedList(new ArrayList<>());
    private final List<Session> sessions = Collections.synchronizedList(new ArrayList<>());
    private final List<Integer> losses = Collections.synchronizedList(new ArrayList<>());
    private final List<Node> nodes = new ArrayList<>();
    private final Setting setting;
    private volatile boolean isOver;
    private volatile @Nullable Throwable failure;

    RealHistory(Duration skew) {
        this.setting = new Setting(2, 6, false, false, false, false, 0, false, WINDOW, skew, 0, 0, 0, 0);
    }

    final class Node {

        private final String name;
        private final String service;
        private final InstantSource clock;
        private final SimulatedNode node;

        private Node(String name, String service, Duration offset, Ways ways) {
            this.name = name;
            this.service = service;
            this.clock = () -> Instant.now().plus(offset);
            LocalRevocations copy = VirtualTime.copyOf(
                    new NotedRevocations(ways.revocations(clock)),
                    LocalRevocationSettings.defaults(),
                    clock,
                    System::nanoTime);
            this.node = new SimulatedNode(
                    clock,
                    new NotedLogins(ways.logins(clock)),
                    copy,
                    copy,
                    setting.properties(Fault.NONE),
                    StoreTime::ofARequest,
                    RealHistory::pause);
        }

        private Op op(Op.Kind kind, String subject, @Nullable Session session, @Nullable String token) {
            return new Op(
                    kind,
                    new Op.At(name, 0, service, clock.instant()),
                    subject,
                    session,
                    token,
                    nanos(),
                    numbers.incrementAndGet());
        }
    }

    /** A node that starts now. */
    void add(String name, String service, Duration offset, Ways ways) {
        nodes.add(new Node(name, service, offset, ways));
    }

    /** Runs clients at all nodes until the weather ends. */
    History run(int clients, Weather weather) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (Node node : nodes) {
            threads.add(thread(() -> read(node)));
        }
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
        return new History(setting, List.copyOf(ops), List.copyOf(sessions), losses, losses, session -> false);
    }

    interface Weather {
        void run(RealHistory history) throws Exception;
    }

    /** Runs what loses acknowledged data. */
    void lose(Runnable loss) {
        losses.add(numbers.incrementAndGet());
        loss.run();
        losses.add(numbers.incrementAndGet());
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

    private void read(Node node) {
        perform(node.op(Op.Kind.READ, "", null, null), () -> {
            node.node.read();
            return true;
        });
        LockSupport.parkNanos(READ_EACH);
    }

    /** Clients pause between requests, so that the checker has a history of a few thousand operations. */
    private void act(Random random) {
        Session session = sessions.isEmpty() ? null : recent(random);
        Node node = nodes.get(random.nextInt(nodes.size()));
        int drawn = random.nextInt(100);
        if (session == null || drawn < 12) {
            login(node, SUBJECTS[random.nextInt(SUBJECTS.length)]);
        } else if (drawn < 45) {
            refresh(node, session, random);
        } else if (drawn < 82) {
            check(node, session, random);
        } else if (drawn < 92) {
            logOut(node, session, random);
        } else if (drawn < 97) {
            perform(node.op(Op.Kind.END, session.subject, session, null), () -> {
                node.node.end(session.id, session.subject);
                return true;
            });
        } else if (drawn < 98) {
            String subject = SUBJECTS[random.nextInt(SUBJECTS.length)];
            perform(node.op(Op.Kind.REVOKE_ALL, subject, null, null), () -> {
                node.node.revokeAll(subject);
                return true;
            });
        } else {
            list(node, session);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(60)));
    }

    private Session recent(Random random) {
        synchronized (sessions) {
            return sessions.get(Math.max(0, sessions.size() - 1 - random.nextInt(6)));
        }
    }

    private void login(Node node, String subject) {
        Op op = node.op(Op.Kind.LOGIN, subject, null, null);
        answered(op, () -> node.node.login(subject)).ifPresent(answer -> {
            Session session = new Session(sessions.size(), node.service, subject, SimulatedNode.idOf(answer.refresh()));
            op.started = session;
            tell(op, session, answer);
            sessions.add(session);
        });
    }

    private void refresh(Node node, Session session, Random random) {
        String text;
        String name;
        synchronized (session) {
            List<String> texts = new ArrayList<>(session.seen.values());
            text = random.nextInt(10) < 7 ? texts.get(texts.size() - 1) : texts.get(random.nextInt(texts.size()));
            name = session.nameOf(text);
        }
        Op op = node.op(Op.Kind.REFRESH, session.subject, session, name);
        answered(op, () -> node.node.refresh(text)).ifPresent(answer -> tell(op, session, answer));
    }

    /** The answer is in the operation before the operation ends, as in the simulator. */
    private static void tell(Op op, Session session, SimulatedNode.Answer answer) {
        synchronized (session) {
            op.answer = session.nameOf(answer.refresh());
            session.access.add(new Session.Access(answer.access(), op));
            session.seen.remove(op.answer);
            session.seen.put(op.answer, answer.refresh());
        }
    }

    private void check(Node node, Session session, Random random) {
        Session.Access access;
        synchronized (session) {
            access = session.access.get(random.nextInt(session.access.size()));
        }
        Op op = node.op(Op.Kind.CHECK, session.subject, session, null);
        op.issuer = access.issuer();
        perform(op, () -> node.node.accepts(access.text()));
    }

    private void logOut(Node node, Session session, Random random) {
        String text;
        String name;
        synchronized (session) {
            boolean byRefresh = random.nextBoolean();
            text = byRefresh
                    ? new ArrayList<>(session.seen.values()).get(session.seen.size() - 1)
                    : session.access.get(session.access.size() - 1).text();
            name = byRefresh ? session.nameOf(text) : null;
        }
        perform(node.op(Op.Kind.LOGOUT, session.subject, session, name), () -> {
            node.node.logOut(text);
            return true;
        });
    }

    private void list(Node node, Session session) {
        Op op = node.op(Op.Kind.LIST, session.subject, null, null);
        perform(op, () -> {
            op.ids.addAll(node.node.list(op.subject));
            return true;
        });
    }

    private Optional<SimulatedNode.Answer> answered(Op op, Supplier<Optional<SimulatedNode.Answer>> action) {
        List<SimulatedNode.Answer> answers = new ArrayList<>();
        perform(op, () -> {
            action.get().ifPresent(answers::add);
            return !answers.isEmpty();
        });
        return answers.stream().findFirst();
    }

    private void perform(Op op, Supplier<Boolean> action) {
        ops.add(op);
        OP.set(op);
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

    private static void pause(Duration pause) {
        long before = System.nanoTime();
        LockSupport.parkNanos(pause.toNanos());
        Op op = OP.get();
        if (op != null) {
            op.pausedNanos += System.nanoTime() - before;
        }
    }

    private static void note(String id) {
        Op op = OP.get();
        if (op != null) {
            op.ids.add(id);
        }
    }

    /** The store of a node, which notes the ids of ended sessions and the start of sessions. */
    private record NotedLogins(LoginStore store) implements LoginStore {

        @Override
        public void start(StoredLogin login) {
            Op op = OP.get();
            if (op != null) {
                op.startedAt = login.startedAt();
            }
            store.start(login);
        }

        @Override
        public List<StoredLogin> ofOwner(String subjectId) {
            return store.ofOwner(subjectId);
        }

        @Override
        public Optional<StoredLogin> find(String id) {
            return store.find(id);
        }

        @Override
        public boolean replace(String expectedTokenHash, StoredLogin login) {
            return store.replace(expectedTokenHash, login);
        }

        @Override
        public boolean end(String id) {
            note(id);
            return store.end(id);
        }

        @Override
        public LoginStore within(Duration longest) {
            return new NotedLogins(store.within(longest));
        }
    }

    private record NotedRevocations(SharedRevocationStore store) implements SharedRevocationStore {

        @Override
        public Revocation recordToken(String tokenId, Instant expiresAt) {
            note(tokenId);
            return store.recordToken(tokenId, expiresAt);
        }

        @Override
        public Revocation recordTokenOf(String subjectId, String tokenId, Instant expiresAt) {
            note(tokenId);
            return store.recordTokenOf(subjectId, tokenId, expiresAt);
        }

        @Override
        public Revocation recordSubject(String subjectId, Instant notBefore) {
            return store.recordSubject(subjectId, notBefore);
        }

        @Override
        public void restore(List<Revocation> lost) {
            store.restore(lost);
        }

        @Override
        public Instant notBefore(String subjectId) {
            return store.notBefore(subjectId);
        }

        @Override
        public boolean isTokenRevoked(String tokenId) {
            return store.isTokenRevoked(tokenId);
        }

        @Override
        public boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
            return store.isSubjectRevoked(subjectId, issuedAt);
        }

        @Override
        public List<Recorded> recordedAfter(long position, int most) {
            return store.recordedAfter(position, most);
        }

        @Override
        public Duration lateness() {
            return store.lateness();
        }

        @Override
        public long leaveTrace() {
            return store.leaveTrace();
        }

        @Override
        public SharedRevocationStore within(Duration longest) {
            return new NotedRevocations(store.within(longest));
        }
    }
}
