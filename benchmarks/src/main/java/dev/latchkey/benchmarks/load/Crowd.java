package dev.latchkey.benchmarks.load;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * A group of users that do the same.
 *
 * @param name under which its figures are found
 * @param open {@code true} if users arrive at {@code size} per second whatever becomes of the others (each makes its calls
 *     once); {@code false} if there are {@code size} of them, each beginning again when it has its answer
 * @param size users, or users per second
 * @param begin what a user does before its first call, each time
 * @param calls one after the other
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

    public Crowd pausing(Duration pause) {
        return new Crowd(name, open, size, begin, calls, pause);
    }
}
