package dev.latchkey.auth.redis;

import dev.latchkey.auth.redis.MeasuredAnswers.Answer;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Requests at all nodes until the end: twice the rate at a steady pace if requests are rejected, and some waiting
 * callers at each node otherwise.
 */
final class MeasuredLoad implements AutoCloseable {

    private static final int WAITING_OF_A_NODE = 20;
    private static final double OVERLOAD = 2;
    /** Of a load that sends several requests at once. */
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(500);

    private static final double NANOS = 1e9;

    private final MeasuredAnswers answers = new MeasuredAnswers();
    private final List<MeasuredNode> nodes;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread made = new Thread(task, "load");
        made.setDaemon(true);
        return made;
    });

    private final MeasuredRule rule;
    private volatile boolean isOver;

    /** @param nodes closed with this load */
    MeasuredLoad(MeasuredRule rule, List<MeasuredNode> nodes) {
        this.rule = rule;
        this.nodes = nodes;
    }

    static MeasuredLoad of(MeasuredSystem system, int port, MeasuredRule rule, int count) {
        return new MeasuredLoad(
                rule,
                Stream.generate(() -> system.node(port, rule)).limit(count).toList());
    }

    MeasuredAnswers answers() {
        return answers;
    }

    long timesAlone() {
        return nodes.stream().mapToLong(MeasuredNode::timesAlone).sum();
    }

    void start() {
        for (MeasuredNode node : nodes) {
            if (rule.waits()) {
                ExecutorService callers = Executors.newSingleThreadExecutor();
                for (int i = 0; i < WAITING_OF_A_NODE; i++) {
                    askAgain(node, callers);
                }
            } else {
                threads.execute(() -> askSteadily(node, nodes.indexOf(node)));
            }
        }
    }

    /**
     * Late requests are sent at once, so that a slow machine also gets the whole load. The nodes send in turn: requests
     * at the same instant would find one token, and leave the next tokens unused.
     */
    private void askSteadily(MeasuredNode node, int number) {
        double perSecond = OVERLOAD * rule.requestsPerSecond() / nodes.size();
        long begun = System.nanoTime() + (long) (number / perSecond / nodes.size() * NANOS);
        long sent = 0;
        while (!isOver) {
            long due = (long) ((System.nanoTime() - begun) / NANOS * perSecond);
            for (; sent < due; sent++) {
                ask(node, () -> {});
            }
            long next = begun + (long) ((sent + 1) / perSecond * NANOS);
            LockSupport.parkNanos(Math.max(PAUSE, next - System.nanoTime()));
        }
    }

    private void askAgain(MeasuredNode node, ExecutorService callers) {
        ask(node, () -> {
            if (!isOver) {
                callers.execute(() -> askAgain(node, callers));
            } else {
                callers.shutdown();
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the answer is counted when it comes
    private void ask(MeasuredNode node, Runnable afterwards) {
        long asked = System.nanoTime();
        node.acquire().whenComplete((passes, failure) -> {
            long now = System.nanoTime();
            Answer answer = failure != null ? Answer.NONE : passes ? Answer.PASSED : Answer.REJECTED;
            answers.add(answer, now, now - asked);
            afterwards.run();
        });
    }

    @Override
    public void close() {
        isOver = true;
        threads.shutdownNow();
        nodes.forEach(MeasuredNode::close);
    }
}
