package dev.latchkey.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many histories of several nodes without a broken promise. {@code -Dsimulator.seed} replays a seed. */
class SimulatorTest {

    private static final long FIRST = Long.getLong("simulator.first", 1);
    private static final long SEEDS = Long.getLong("simulator.seeds", 20_000);

    @Test
    void noHistory_breaksAPromise() throws InterruptedException {
        Long one = Long.getLong("simulator.seed");
        if (one != null) {
            try (Histories histories = new Histories()) {
                Fault fault = Fault.valueOf(System.getProperty("simulator.fault", "NONE"));
                System.out.println(histories.told(one, fault));
                assertThat(histories.broken(one, fault)).isEmpty();
            }
            return;
        }
        AtomicLong next = new AtomicLong(FIRST);
        AtomicReference<String> broken = new AtomicReference<>("");
        long begun = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = Math.min(4, Runtime.getRuntime().availableProcessors()); i > 0; i--) {
            Thread thread = new Thread(() -> search(next, broken));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.printf(
                "%d histories in %.1f s%n", Math.min(SEEDS, next.get() - FIRST), (System.nanoTime() - begun) / 1e9);
        assertThat(broken.get()).isEmpty();
    }

    private static void search(AtomicLong next, AtomicReference<String> broken) {
        try (Histories histories = new Histories()) {
            long seed = next.getAndIncrement();
            while (seed < FIRST + SEEDS && broken.get().isEmpty()) {
                String found = histories.broken(seed, Fault.NONE);
                if (!found.isEmpty()) {
                    broken.compareAndSet("", found);
                }
                seed = next.getAndIncrement();
            }
        } catch (RuntimeException e) {
            broken.compareAndSet("", e + " " + e.getCause() + " about seed " + next.get());
        }
    }

    /**
     * Past defects: access tokens outside of a revocation of all, a copy that read past a revocation, and a copy that answered
     * for the store.
     */
    @ParameterizedTest
    @ValueSource(longs = {18_727, 21_789, 133_308, 145_767})
    void seedThatFoundADefect_breaksNoPromise(long seed) {
        try (Histories histories = new Histories()) {
            assertThat(histories.broken(seed, Fault.NONE)).isEmpty();
        }
    }

    @Test
    void sameSeed_makesTheSameHistory() {
        try (Histories histories = new Histories()) {
            for (long seed = 1; seed <= 50; seed++) {
                assertThat(histories.told(seed, Fault.NONE)).isEqualTo(histories.told(seed, Fault.NONE));
            }
        }
    }
}
