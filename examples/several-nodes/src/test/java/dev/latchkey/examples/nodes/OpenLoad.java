package dev.latchkey.examples.nodes;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A rate of requests, each at its due time, independent of earlier answers: a request without a free connection waits, and the
 * wait counts. One thread does all the work. The thread looks each millisecond for due requests and answers, because a wake-up
 * for each answer would cost as much again.
 */
final class OpenLoad {

    /** This name separates the thread's processor time. */
    static final String THREAD_NAME = "generator";

    private static final int CONNECTIONS = 24;
    private static final long TICK_NANOS = 1_000_000;
    private static final long ONE_SECOND = 1_000_000_000;
    private static final int BUCKETS_OF_A_MILLISECOND = 10;
    private static final int BUCKETS = 100_000;

    /**
     * The outcome.
     *
     * @param perSecond answers
     * @param p99Millis from the due time of a request to the whole answer, or to the end without an answer
     * @param refused answers with 401
     * @param outages answers with neither 401 nor 200
     */
    record Outcome(double perSecond, double p99Millis, long refused, long outages) {}

    private final List<Node> nodes = new ArrayList<>();
    private final byte[] request;
    private final long pauseNanos;
    private final int[] waits = new int[BUCKETS];
    private final FutureTask<Outcome> task;
    private long answered;
    private long refused;
    private long outages;
    private volatile boolean isOver;

    private OpenLoad(byte[] request, int perSecond) {
        this.request = request;
        this.pauseNanos = ONE_SECOND / perSecond;
        Callable<Outcome> run = this::run;
        this.task = new FutureTask<>(run);
    }

    /** On all nodes in turn, until it is stopped. */
    static OpenLoad start(List<Integer> ports, byte[] request, int perSecond) throws IOException {
        OpenLoad load = new OpenLoad(request, perSecond);
        for (int port : ports) {
            load.nodes.add(load.new Node(port));
        }
        Thread generator = new Thread(load.task, THREAD_NAME);
        generator.setDaemon(true);
        generator.start();
        return load;
    }

    /** Sends no more requests, not even due requests, and returns after the last answer. */
    Outcome stop() throws Exception {
        isOver = true;
        return task.get(1, TimeUnit.MINUTES);
    }

    private Outcome run() throws IOException {
        long begun = System.nanoTime();
        long next = begun;
        int turn = 0;
        boolean isIdle = false;
        while (!isOver || !isIdle) {
            for (long now = System.nanoTime(); !isOver && next - now <= 0; next += pauseNanos) {
                nodes.get(turn++ % nodes.size()).due.add(next);
            }
            isIdle = true;
            for (Node node : nodes) {
                if (isOver) {
                    node.giveUp();
                }
                isIdle &= node.look();
            }
            LockSupport.parkNanos(TICK_NANOS);
        }
        double seconds = (System.nanoTime() - begun) / (double) ONE_SECOND;
        for (Node node : nodes) {
            node.close();
        }
        return new Outcome(answered / seconds, p99Millis(), refused, outages);
    }

    private double p99Millis() {
        long rest = IntStream.of(waits).asLongStream().sum() / 100;
        int bucket = BUCKETS - 1;
        while (bucket > 0 && rest >= waits[bucket]) {
            rest -= waits[bucket--];
        }
        return (bucket + 1.0) / BUCKETS_OF_A_MILLISECOND;
    }

    /** A connection, and when the request on it was due. */
    private static final class Lane {

        private final KeptConnection connection;
        private long due;

        Lane(KeptConnection connection) {
            this.connection = connection;
        }
    }

    private final class Node {

        private final Deque<Long> due = new ArrayDeque<>();
        private final Deque<Lane> idle = new ArrayDeque<>();
        private final List<Lane> busy = new ArrayList<>();

        Node(int port) throws IOException {
            for (int i = 0; i < CONNECTIONS; i++) {
                idle.add(new Lane(KeptConnection.to(port)));
            }
        }

        /** Takes the answers and sends what is due; whether nothing is under way. */
        boolean look() throws IOException {
            for (Iterator<Lane> each = busy.iterator(); each.hasNext(); ) {
                Lane lane = each.next();
                if (lane.connection.isAnswered()) {
                    each.remove();
                    idle.add(lane);
                    count(lane);
                }
            }
            while (!due.isEmpty() && !idle.isEmpty()) {
                Lane lane = idle.remove();
                lane.due = due.remove();
                lane.connection.send(request);
                busy.add(lane);
            }
            return busy.isEmpty() && due.isEmpty();
        }

        void close() throws IOException {
            for (Lane lane : idle) {
                lane.connection.close();
            }
        }

        /** What was not sent has waited until now at least. */
        void giveUp() {
            due.forEach(this::countWait);
            due.clear();
        }

        private void countWait(long since) {
            long micros = (System.nanoTime() - since) / 1_000;
            int bucket = (int) Math.min(BUCKETS - 1, micros * BUCKETS_OF_A_MILLISECOND / 1_000);
            waits[bucket]++;
        }

        private void count(Lane lane) {
            countWait(lane.due);
            answered++;
            switch (lane.connection.status()) {
                case 200 -> {}
                case 401 -> refused++;
                default -> outages++;
            }
        }
    }
}
