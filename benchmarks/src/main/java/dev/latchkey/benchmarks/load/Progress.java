package dev.latchkey.benchmarks.load;

import java.time.Duration;
import java.util.Locale;

/** Prints the current work to the terminal. */
public final class Progress {

    private final long begunAt = System.nanoTime();

    public void scenario(int number, int of, String title) {
        System.out.printf(Locale.ROOT, "%n[%s] %d/%d %s%n", elapsed(), number, of, title);
    }

    public void step(String step) {
        System.out.printf(Locale.ROOT, "[%s]   %s%n", elapsed(), step);
    }

    private String elapsed() {
        Duration since = Duration.ofNanos(System.nanoTime() - begunAt);
        return String.format(Locale.ROOT, "%2d:%02d", since.toMinutes(), since.toSecondsPart());
    }
}
