package dev.latchkey.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.throttle.ThrottleResult.Passed;
import dev.latchkey.throttle.ThrottleResult.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class AcquisitionTest {

    private static final Passed WIDE = new Passed(Duration.ofMillis(2), ThrottleScope.SOURCE, 9);
    private static final Passed NARROW = new Passed(Duration.ofMillis(3), ThrottleScope.GLOBAL, 4);
    private static final Refused REFUSED = new Refused(ThrottleScope.GLOBAL, Duration.ofSeconds(1));

    private final List<String> asked = new ArrayList<>();
    private final Set<String> givenBack = new TreeSet<>();

    private Acquisition.Limit limit(String name, CompletableFuture<ThrottleResult> answer) {
        return limit(name, () -> {
            asked.add(name);
            return answer;
        });
    }

    private Acquisition.Limit limit(String name, Supplier<CompletableFuture<ThrottleResult>> question) {
        return new Acquisition.Limit() {
            @Override
            public CompletableFuture<ThrottleResult> ask() {
                return question.get();
            }

            @Override
            public void giveBack() {
                givenBack.add(name);
            }
        };
    }

    private Acquisition.Limit limit(String name, ThrottleResult answer) {
        return limit(name, CompletableFuture.completedFuture(answer));
    }

    @Test
    void allThatLetThrough_areSummedUp() {
        Acquisition acquisition = Acquisition.of(List.of(limit("a", WIDE), limit("b", NARROW)));
        assertThat(acquisition.result())
                .isCompletedWithValue(new Passed(Duration.ofMillis(5), ThrottleScope.GLOBAL, 4));
        assertThat(acquisition.passed()).containsExactly(WIDE, NARROW);
        assertThat(givenBack).isEmpty();
    }

    @Test
    void withoutLimits_everythingPasses() {
        assertThat(Acquisition.of(List.of()).result())
                .isCompletedWithValue(new Passed(Duration.ZERO, null, Long.MAX_VALUE));
    }

    @Test
    void firstRefusalEndsIt_andItsPositionIsKnown() {
        Acquisition acquisition = Acquisition.of(List.of(limit("a", WIDE), limit("b", REFUSED), limit("c", NARROW)));
        assertThat(acquisition.result()).isCompletedWithValue(REFUSED);
        assertThat(acquisition.position()).isEqualTo(1);
        assertThat(asked).containsExactly("a", "b");
    }

    @Test
    void refusal_givesBackWhatTheLimitsBeforeGave() {
        Acquisition.of(List.of(limit("a", WIDE), limit("b", NARROW), limit("c", REFUSED), limit("d", WIDE)));
        assertThat(givenBack).containsExactly("a", "b", "c");
    }

    @Test
    void callerThatLeaves_getsBackWhatTheLimitsBeforeGave() {
        Acquisition acquisition = Acquisition.of(List.of(limit("a", WIDE), limit("b", new CompletableFuture<>())));
        assertThat(givenBack).isEmpty();
        acquisition.result().cancel(false);
        assertThat(givenBack).containsExactly("a", "b");
    }

    @Test
    void nextLimitIsAsked_onlyWhenTheOneBeforeHasLetThrough() {
        CompletableFuture<ThrottleResult> first = new CompletableFuture<>();
        Acquisition acquisition = Acquisition.of(List.of(limit("a", first), limit("b", NARROW)));
        assertThat(asked).containsExactly("a");
        assertThat(acquisition.result()).isNotDone();
        first.complete(WIDE);
        assertThat(asked).containsExactly("a", "b");
        assertThat(acquisition.result()).isCompleted();
    }

    @Test
    void cancelledResult_cancelsThePendingLimit_andAsksNoOther() {
        CompletableFuture<ThrottleResult> second = new CompletableFuture<>();
        Acquisition acquisition = Acquisition.of(List.of(limit("a", WIDE), limit("b", second), limit("c", NARROW)));
        acquisition.result().cancel(false);
        assertThat(second).isCancelled();
        assertThat(asked).containsExactly("a", "b");
    }

    @Test
    void rejectionByTheCaller_isAnAnswerOfThePendingLimit() {
        CompletableFuture<ThrottleResult> pending = new CompletableFuture<>();
        Acquisition.of(List.of(limit("a", pending))).result().complete(REFUSED);
        assertThat(pending).isCompletedWithValue(REFUSED);
    }

    @Test
    void rejectionByTheCallerWhileTheNextLimitIsAsked_isAnAnswerOfThatLimit() {
        CompletableFuture<ThrottleResult> first = new CompletableFuture<>();
        CompletableFuture<ThrottleResult> second = new CompletableFuture<>();
        List<Acquisition> begun = new ArrayList<>();
        begun.add(Acquisition.of(List.of(limit("a", first), limit("b", () -> {
            begun.get(0).result().complete(REFUSED);
            return second;
        }))));
        first.complete(WIDE);
        assertThat(second).isCompletedWithValue(REFUSED);
    }

    @Test
    void resultThatIsCancelledWhileTheNextLimitIsAsked_cancelsThatLimit() {
        CompletableFuture<ThrottleResult> first = new CompletableFuture<>();
        CompletableFuture<ThrottleResult> second = new CompletableFuture<>();
        List<Acquisition> begun = new ArrayList<>();
        begun.add(Acquisition.of(List.of(limit("a", first), limit("b", () -> {
            begun.get(0).result().cancel(false);
            return second;
        }))));
        first.complete(WIDE);
        assertThat(second).isCancelled();
        assertThat(givenBack).containsExactly("a", "b");
    }

    @Test
    void resultThatIsCancelledWhileALimitLetsThrough_asksNoOther() {
        CompletableFuture<ThrottleResult> first = new CompletableFuture<>();
        List<Acquisition> begun = new ArrayList<>();
        begun.add(Acquisition.of(List.of(
                limit("a", first),
                limit("b", () -> {
                    begun.get(0).result().cancel(false);
                    return CompletableFuture.completedFuture(WIDE);
                }),
                limit("c", NARROW))));
        first.complete(WIDE);
        assertThat(asked).containsExactly("a");
    }

    @Test
    void cancelledLimit_cancelsTheResult() {
        CompletableFuture<ThrottleResult> pending = new CompletableFuture<>();
        Acquisition acquisition = Acquisition.of(List.of(limit("a", pending)));
        pending.cancel(false);
        assertThat(acquisition.result()).isCancelled();
    }

    @Test
    void limitsThatAnswerAtOnce_areNotAskedWithinEachOther() {
        Acquisition acquisition = Acquisition.of(Collections.nCopies(10_000, limit("a", WIDE)));
        assertThat(acquisition.result()).isCompleted();
    }
}
