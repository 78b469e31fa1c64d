package dev.latchkey.benchmarks.load;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * A group of users with the same calls.
 *
 * @param name the name of the group's figures
 * @param open {@code true} for {@code size} arrivals per second, independent of earlier users (each makes its calls once); {@code
 *     false} for {@code size} users, each with a new start after its answer
 * @param size users, or users per second
 * @param begin a user's work before its first call, each time
 * @param calls in sequence
 * @param pause before a user begins again
 */
public record Crowd(String name, boolean open, int size, Consumer<User> begin, List<Call> calls, Duration pause) {

    public static Crowd closed(String name, int users, Call... calls) {
        return new Crowd(name, false, users, user -> {}, List.of(calls), Duration.ZERO);
    }

    public static Crowd arriving(String name, int perSecond, Call... calls) {
        return new Crowd(name, true, perSecond, user -> {}, List.of(calls), Duration.ZERO);
    }

    public Crowd beginningWith(Consumer<User> begin) {
        return new Crowd(name, open, size, begin, calls, pause);
    }

    /** Each beginning user becomes the next of these accounts. */
    public Crowd inTurn(List<String> accounts) {
        int[] next = {0};
        return beginningWith(user -> user.become(accounts.get(next[0]++ % accounts.size())));
    }

    public Crowd pausing(Duration pause) {
        return new Crowd(name, open, size, begin, calls, pause);
    }
}
