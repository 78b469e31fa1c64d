package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.unboundid.ldap.sdk.SearchResultReference;
import dev.latchkey.auth.AuthUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A call of the directory holds neither its caller nor its thread longer than the settings allow. */
class BoundedCallsTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    /** Counts down when its thread is interrupted, and waits until then. */
    private static String waitFor(CountDownLatch begun, CountDownLatch interrupted) throws InterruptedException {
        try {
            begun.countDown();
            boolean unused = new CountDownLatch(1).await(60, TimeUnit.SECONDS);
            return "not interrupted";
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        }
    }

    private static void assertComes(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void call_runsOnADaemonOfThePlugin() {
        try (BoundedCalls calls = new BoundedCalls("corp", 1, LONG)) {
            Thread thread = calls.run(Thread::currentThread);
            assertThat(thread.getName()).isEqualTo("latchkey-corp-1");
            assertThat(thread.isDaemon()).isTrue();
        }
    }

    @Test
    void tenantOfTheFirstCaller_isNotSeenByCalls() {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        tenant.set("first");
        try (BoundedCalls calls = new BoundedCalls("corp", 1, LONG)) {
            assertThat(calls.run(() -> String.valueOf(tenant.get()))).isEqualTo("null");
        } finally {
            tenant.remove();
        }
    }

    @Test
    void callThatTakesTooLong_isAnOutage_andItsThreadIsFreed() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        try (BoundedCalls calls = new BoundedCalls("corp", 1, Duration.ofMillis(20))) {
            assertThatThrownBy(() -> calls.run(() -> waitFor(new CountDownLatch(1), interrupted)))
                    .isInstanceOf(AuthUnavailableException.class)
                    .hasMessage("The directory of 'corp' gave no answer within 20 ms");
            assertComes(interrupted);
        }
    }

    @Test
    void interruptedCaller_getsAnOutage_andStaysInterrupted() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        try (BoundedCalls calls = new BoundedCalls("corp", 1, LONG)) {
            Thread.currentThread().interrupt();
            AuthUnavailableException outage = catchThrowableOfType(
                    AuthUnavailableException.class,
                    () -> calls.run(() -> {
                        assertComes(begun);
                        return waitFor(begun, interrupted);
                    }));
            assertThat(Thread.interrupted()).isTrue();
            begun.countDown();
            assertThat(outage).hasMessage("Interrupted while the directory of 'corp' was asked");
        }
    }

    @Test
    void close_interruptsTheCallsThatRun() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        BoundedCalls calls = new BoundedCalls("corp", 1, LONG);
        Thread caller = new Thread(() -> assertThatThrownBy(() -> calls.run(() -> waitFor(begun, interrupted)))
                .isInstanceOf(AuthUnavailableException.class));
        caller.start();
        assertComes(begun);
        calls.close();
        assertComes(interrupted);
        caller.join();
    }

    @Test
    void oneCallAfterTheOther_isNeverTooMany() {
        try (BoundedCalls calls = new BoundedCalls("corp", 1, LONG)) {
            for (int i = 0; i < 1_000; i++) {
                int number = i;
                assertThat(calls.run(() -> number)).isEqualTo(number);
            }
        }
    }

    @Test
    void closedCalls_areAnOutage() {
        BoundedCalls calls = new BoundedCalls("corp", 1, LONG);
        calls.close();
        assertThatThrownBy(() -> calls.run(() -> "late"))
                .isInstanceOf(AuthUnavailableException.class)
                .hasMessage("The plugin 'corp' is closed");
    }

    @Test
    void callThatFails_isAnOutageOfItsReason() {
        try (BoundedCalls calls = new BoundedCalls("corp", 1, LONG)) {
            assertThatThrownBy(() -> calls.run(() -> {
                        throw new IOException("reset");
                    }))
                    .isInstanceOf(AuthUnavailableException.class)
                    .hasMessage("The directory of 'corp' gave no answer: java.io.IOException")
                    .cause()
                    .hasMessage("reset");
        }
    }

    /** Active Directory adds a few to each search of a domain. An endless answer is no answer. */
    @Test
    void hundredReferencesToOtherServers_areLeftOut_andMoreEndTheSearch() {
        BoundedSearch search = new BoundedSearch(1);
        SearchResultReference reference = new SearchResultReference(new String[] {"ldap://other.example"}, null);
        for (int i = 0; i < 100; i++) {
            search.searchReferenceReturned(reference);
        }
        assertThatThrownBy(() -> search.searchReferenceReturned(reference)).isInstanceOf(RuntimeException.class);
    }
}
