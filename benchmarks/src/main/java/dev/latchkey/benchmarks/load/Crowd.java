package dev.latchkey.benchmarks.load;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * A group of users with the same calls.
 *
 * @param name the name of the group's figures
 * @param open {@code true}: {@code size} users arrive per second, independent of earlier users, and each user makes its calls
 *     once. {@code false}: there are {@code size} users, and each user begins again after its last answer
 * @param size users, or users per second
 * @param begin runs before a user's first call, each time the user begins
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
