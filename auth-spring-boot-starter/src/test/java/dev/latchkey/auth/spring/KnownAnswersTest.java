package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class KnownAnswersTest {

    private static final HashingKey KEY = new HashingKey(new HashingProbe(), "password", "stored");

    private final AuthUnavailableException refusal =
            AuthUnavailableException.overload("Too much", Duration.ofSeconds(1));
    private final KnownAnswers answers = new KnownAnswers();

    @Test
    void refusal_isToldOnceAndToItsAccountOnly() {
        CompletableFuture<Boolean> refused = CompletableFuture.failedFuture(refusal);
        answers.keep(KEY, "ann", refused);
        assertThat(answers.refusalOf("bob")).isEmpty();
        assertThat(answers.refusalOf("ann")).containsSame(refused);
        assertThat(answers.refusalOf("ann")).isEmpty();
        assertThat(answers.<Boolean>to(KEY)).containsSame(refused);
    }

    @Test
    void refusalOfADependentStage_isOneToo() {
        answers.keep(KEY, "ann", CompletableFuture.failedFuture(refusal).thenApply(value -> value));
        assertThat(answers.refusalOf("ann")).isPresent();
    }

    @Test
    void answersAndOtherExceptions_areLeftToWhoAsksForTheHash() {
        assertThat(answers.refusalOf("ann")).isEmpty();
        answers.keep(KEY, "ann", CompletableFuture.completedFuture(false));
        assertThat(answers.refusalOf("ann")).isEmpty();
        answers.keep(KEY, "ann", CompletableFuture.failedFuture(new IllegalStateException("no algorithm")));
        assertThat(answers.refusalOf("ann")).isEmpty();
    }

    @Test
    void onlyTheNewest_isAskedFor() {
        answers.keep(KEY, "ann", CompletableFuture.failedFuture(refusal));
        answers.keep(
                new HashingKey(new HashingProbe(), "password", "other"),
                "ann",
                CompletableFuture.completedFuture(true));
        assertThat(answers.refusalOf("ann")).isEmpty();
    }
}
