package dev.latchkey.tests.simulator;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way to the server: each call is a scheduling point before the effect and another before the answer. A call may take long,
 * and may get lost on both ways.
 */
final class Calls {

    private static final long DEADLINE = Duration.ofMillis(1500).toNanos();

    /** What each thread does now. */
    private static final ThreadLocal<@Nullable Op> OP = new ThreadLocal<>();

    /** An effect after the caller has gone. */
    private record Late(long at, Supplier<?> effect) {}

    final Server server;
    private final Schedule schedule;
    private final SplittableRandom random;
    private final boolean commitsLate;
    private final int delays;
    private final int losses;
    private final List<Late> late = new ArrayList<>();

    /**
     * @param commitsLate whether other nodes see a write later than its position
     * @param delays of a hundred calls
     * @param losses of a hundred answers
     */
    Calls(Server server, Schedule schedule, SplittableRandom random, boolean commitsLate, int delays, int losses) {
        this.server = server;
        this.schedule = schedule;
        this.random = random;
        this.commitsLate = commitsLate;
        this.delays = delays;
        this.losses = losses;
    }

    void begin(Op begun) {
        OP.set(begun);
    }

    @Nullable
    Op op() {
        return OP.get();
    }

    <T> T read(Duration longest, Supplier<T> question) {
        return ask(longest, false, () -> question, null);
    }

    <T> T write(Duration longest, Supplier<T> change) {
        return ask(longest, true, () -> change, null);
    }

    /**
     * A change that may wait for the replica.
     *
     * @param isSo whether the primary still has the change; null without a wait
     */
    boolean writeAndWait(Duration longest, BooleanSupplier change, @Nullable BooleanSupplier isSo) {
        return ask(longest, true, () -> change::getAsBoolean, isSo);
    }

    /** A change in two steps: the result of the first step is visible after the second. */
    <T> T commit(Duration longest, Supplier<Supplier<T>> change) {
        return ask(longest, true, change, null);
    }

    private <T> T ask(
            Duration longest, boolean writes, Supplier<Supplier<T>> question, @Nullable BooleanSupplier isSo) {
        long begun = schedule.nanos();
        long deadline = Math.min(longest.toNanos(), DEADLINE);
        try {
            schedule.step();
            delay(begun, deadline, writes, question);
            requireServer(writes);
            Supplier<T> commit = question.get();
            if (commitsLate && writes) {
                schedule.sleep(random.nextInt(2) == 0 ? random.nextLong(DEADLINE * 3 / 4) : 0);
                requireServer(writes);
            }
            T answer = commit.get();
            if (isSo != null && Boolean.TRUE.equals(answer)) {
                answer = awaitReplica(deadline, isSo, answer);
            }
            schedule.step();
            if (random.nextInt(100) < losses) {
                throw outage("the answer got lost");
            }
            if (schedule.nanos() - begun > deadline) {
                throw outage("too late");
            }
            return answer;
        } finally {
            Op mine = OP.get();
            if (mine != null) {
                mine.spentNanos += Math.min(schedule.nanos() - begun, deadline);
            }
        }
    }

    private <T> void delay(long begun, long deadline, boolean writes, Supplier<Supplier<T>> question) {
        if (random.nextInt(100) >= delays) {
            return;
        }
        long delay = random.nextLong(1L << (24 + random.nextInt(9)));
        long left = deadline - (schedule.nanos() - begun);
        if (delay < left) {
            schedule.sleep(delay);
            return;
        }
        if (random.nextInt(3) > 0) {
            requireServer(writes);
            late.add(new Late(schedule.nanos() + delay, question.get()));
        }
        schedule.sleep(Math.max(0, left));
        throw outage("no answer in time");
    }

    @SuppressWarnings("unchecked")
    private <T> T awaitReplica(long deadline, BooleanSupplier isSo, T written) {
        schedule.step();
        if (server.isReplicaAway) {
            schedule.sleep(deadline / 2);
        }
        requireServer(false);
        if (server.isReplicaAway) {
            throw outage("too few replicas");
        }
        boolean isStillSo = isSo.getAsBoolean();
        server.replicate();
        return isStillSo ? written : (T) Boolean.FALSE;
    }

    private void requireServer(boolean writes) {
        if (server.isDown) {
            throw outage("the server is down");
        }
        if (writes && server.isFull) {
            throw outage("the server is full");
        }
    }

    static AuthUnavailableException outage(String what) {
        return AuthUnavailableException.outage("Simulated: " + what);
    }

    /** Applies the effects that have arrived by now. */
    void arrive() {
        if (late.isEmpty() || server.isDown) {
            return;
        }
        for (Iterator<Late> each = late.iterator(); each.hasNext(); ) {
            Late next = each.next();
            if (next.at() <= schedule.nanos()) {
                each.remove();
                try {
                    Object unused = next.effect().get();
                } catch (AuthUnavailableException e) {
                    // No caller waits for the answer.
                }
            }
        }
    }
}
