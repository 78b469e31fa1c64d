package dev.latchkey.auth.guard.hashing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.hashing.HashThreads.Hash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads without a request, beside request threads. */
@Timeout(60)
class PatientHashesTest {

    private final ManualTime time = new ManualTime();
    private final WaitingThreads waiting = WaitingThreads.atMost(20);
    private final HashingPermits one = new HashingPermits(
            HashingSettings.defaults()
                    .withAtOnce(1)
                    .withMaxWait(Duration.ofSeconds(2))
                    .withFirstEstimate(Duration.ofMillis(100)),
            waiting,
            time,
            GuardListener.NONE);
    private final HashThreads threads = new HashThreads(one);

    @AfterEach
    void close() {
        threads.close();
        assertThat(one.stats().running()).isZero();
        assertThat(one.stats().waiting()).isZero();
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void patientThread_waitsAsLongAsItTakes_andInNoPlace() {
        Hash first = threads.computing("first", 0);
        Hash patient = threads.waitingPatiently("patient");
        time.advance(Duration.ofHours(1));
        assertThat(waiting.waiting()).isZero();
        assertThat(one.stats().waiting()).isEqualTo(1);
        first.end();
        patient.begun().end();
        assertThat(patient.answer).isCompletedWithValue("patient");
        assertThat(one.stats().refusedLate()).isZero();
    }

    @Test
    void hundredPatientThreads_keepNoRequestFromTheQueue_andRequestsGoFirst() {
        Hash first = threads.computing("first", 0);
        for (int i = 0; i < 100; i++) {
            threads.waitingPatiently("patient");
        }
        List<Hash> requests = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            requests.add(threads.waiting("request", 0));
        }
        assertThat(one.stats().refusedFull()).isZero();
        first.end();
        requests.forEach(each -> each.begun().end());
        assertThat(threads.order().subList(0, 9)).doesNotContain("patient");
    }

    @Test
    void requestFindsAPlace_whileAPatientHashTakesLongerThanARequestMayWait() {
        HashingPermits slow = new HashingPermits(
                one.settings().withFirstEstimate(Duration.ofSeconds(5)), waiting, time, GuardListener.NONE);
        try (HashThreads slowThreads = new HashThreads(slow)) {
            Hash patient = slowThreads.ask("patient", 0, slow::callPatiently).begun();
            slowThreads.waitingPatiently("next patient");
            Hash request = slowThreads.waiting("request", 0);
            assertThat(slowThreads.ask("request", 0, slow::call).refusal().kind())
                    .isEqualTo(Kind.OVERLOAD);
            patient.end();
            request.begun();
        }
    }

    @Test
    void patientThread_isPassedByEightRequests_andThenIsNext_butNotTheOneBehindIt() {
        Hash first = threads.computing("first", 0);
        Hash patient = threads.waitingPatiently("patient");
        threads.waitingPatiently("second patient");
        List<Hash> requests = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            requests.add(threads.waiting("request", 0));
        }
        first.end();
        requests.subList(0, 8).forEach(each -> each.begun().end());
        patient.begun();
        assertThat(requests.get(8).hasBegun()).isFalse();
        patient.end();
        requests.get(8).begun().end();
        requests.get(9).begun().end();
        assertThat(threads.order().subList(9, 12)).containsExactly("patient", "request", "request");
    }

    @Test
    void interruptedPatientThread_getsAnOutage_andLeavesTheQueue() {
        threads.computing("first", 0);
        Hash patient = threads.waitingPatiently("patient");
        patient.thread.interrupt();
        patient.join();
        assertThat(patient.refusal().kind()).isEqualTo(Kind.OUTAGE);
        assertThat(one.stats().waiting()).isZero();
        assertThat(one.stats().abandoned()).isEqualTo(1);
    }
}
