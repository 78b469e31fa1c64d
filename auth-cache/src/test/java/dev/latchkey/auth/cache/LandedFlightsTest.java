package dev.latchkey.auth.cache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A stack may end anywhere, also between the registration of a flight and its removal. The next caller must neither
 * wait for the flight nor get its old verdict.
 */
@Timeout(60)
class LandedFlightsTest {

    private static final CredentialDigest CREDENTIAL = new CredentialDigest(1, 2, 3, 4);

    private final EndingMap running = new EndingMap();
    private final Counters counters = new Counters();
    private final Flights flights = new Flights(running, System::nanoTime, nanos -> {}, counters, WaitBound.NONE);

    @Test
    void stackThatEndsBeforeTheRemoval_leavesNoVerdictForOthers() {
        running.endsInRemove = true;
        assertThatThrownBy(() -> ask("old")).isInstanceOf(StackOverflowError.class);
        running.endsInRemove = false;
        assertThat(flights.running()).as("landed flights do not run").isZero();
        assertThat(ask("new")).isEqualTo("new");
        assertThat(ask("newer")).isEqualTo("newer");
        assertThat(running).isEmpty();
        assertThat(counters.waiters.sum()).as("nobody joined what was over").isZero();
    }

    @Test
    void stackThatEndsRightAfterTheRegistration_makesNoCallerWait() throws Exception {
        running.endsInPut = true;
        running.endsInRemove = true;
        assertThatThrownBy(() -> ask("old")).isInstanceOf(StackOverflowError.class);
        running.endsInPut = false;
        running.endsInRemove = false;
        assertThat(running).as("registered all the same").hasSize(1);
        assertThat(CompletableFuture.supplyAsync(() -> ask("new")).get(30, SECONDS))
                .as("another thread, which would wait")
                .isEqualTo("new");
        assertThat(running).isEmpty();
    }

    @Test
    void landedFlight_isRemovedByACallerThatCounts() {
        running.endsInRemove = true;
        assertThatThrownBy(() -> ask("old")).isInstanceOf(StackOverflowError.class);
        running.endsInRemove = false;
        assertThat(flights.running()).isZero();
        assertThat(running).isEmpty();
    }

    @Test
    void openFlight_isCounted_andReportedToADetachingCaller() {
        AtomicInteger counted = new AtomicInteger();
        List<Long> detached = new ArrayList<>();
        flights.verdict(CREDENTIAL, 7, new Load("verdict") {
            @Override
            public String ask() {
                flights.detach(tag -> tag == 8, detached::add);
                counted.set(flights.running());
                flights.detach(tag -> tag == 7, detached::add);
                return super.ask();
            }
        });
        assertThat(counted).hasValue(1);
        assertThat(detached).containsExactly(7L);
    }

    /** The landing thread has no stack left for waking other threads: they notice by themselves. */
    @Test
    void waiterThatIsNeverWoken_seesTheLandingAllTheSame() throws Exception {
        Flight<String> flight = new Flight<>(7);
        CountDownLatch waiting = new CountDownLatch(1);
        CompletableFuture<String> waiter = CompletableFuture.supplyAsync(() -> {
            waiting.countDown();
            return String.valueOf(flight.await().verdict());
        });
        waiting.await();
        flight.landing = new Flight.Landing<>("verdict", null, 0);
        assertThat(waiter.get(30, SECONDS)).isEqualTo("verdict");
    }

    private String ask(String answer) {
        return flights.verdict(CREDENTIAL, 7, new Load(answer));
    }

    private static class Load implements CredentialLoad<String> {

        private final String answer;

        Load(String answer) {
            this.answer = answer;
        }

        @Override
        public @Nullable String stored() {
            return null;
        }

        @Override
        public String ask() {
            return answer;
        }

        @Override
        public boolean accepts(String verdict) {
            return true;
        }

        @Override
        public void store(String verdict, Flight<String> flight, long nanos) {}
    }

    /** Ends the stack of the calling thread, after a registration or before a removal. */
    private static final class EndingMap extends ConcurrentHashMap<CredentialDigest, Flight<?>> {

        private static final long serialVersionUID = 1;

        private transient boolean endsInPut;
        private transient boolean endsInRemove;

        @Override
        public @Nullable Flight<?> putIfAbsent(CredentialDigest key, Flight<?> value) {
            Flight<?> before = super.putIfAbsent(key, value);
            if (endsInPut) {
                throw new StackOverflowError("for a test");
            }
            return before;
        }

        @Override
        public boolean remove(Object key, Object value) {
            if (endsInRemove) {
                throw new StackOverflowError("for a test");
            }
            return super.remove(key, value);
        }
    }
}
