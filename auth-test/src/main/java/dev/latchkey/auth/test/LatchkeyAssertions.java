package dev.latchkey.auth.test;

import dev.latchkey.auth.Decision;
import java.net.http.HttpResponse;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.servlet.MvcResult;

/**
 * Assertions in AssertJ's way about what plugins decide and what callers are told.
 *
 * <pre>{@code
 * import static dev.latchkey.auth.test.LatchkeyAssertions.assertThat;
 * import static dev.latchkey.auth.test.LatchkeyAssertions.assertThatProblem;
 *
 * assertThat(plugin.authenticate(credentials, context)).isRejectedBecause(RejectionReason.ACCOUNT_LOCKED);
 * assertThatProblem(mvc.perform(get("/accounts")).andReturn()).isUnauthorized();
 * }</pre>
 */
public final class LatchkeyAssertions {

    private LatchkeyAssertions() {}

    /**
     * About the word of a plugin, or the verdict of a chain.
     *
     * @param actual what a plugin or a chain has answered
     * @return assertions, each of which fails where the decision is another one
     */
    public static DecisionAssert assertThat(Decision actual) {
        return new DecisionAssert(actual);
    }

    /**
     * About the answer that {@code MockMvc} got; of {@code MockMvcTester}, pass what {@code getMvcResult()} gives.
     *
     * @param actual an answer of {@code application/problem+json}
     * @return assertions, each of which fails where the answer is another one
     */
    public static ProblemAssert assertThatProblem(MvcResult actual) {
        return new ProblemAssert(ProblemAnswer.of(actual.getResponse()));
    }

    /**
     * About the answer of a server.
     *
     * @param actual an answer of {@code application/problem+json}
     * @return assertions, each of which fails where the answer is another one
     */
    public static ProblemAssert assertThatProblem(HttpResponse<String> actual) {
        return new ProblemAssert(
                new ProblemAnswer(actual.statusCode(), actual.headers().map(), actual.body()));
    }

    /**
     * About the answer that a {@code WebTestClient} got: {@code expectBody().returnResult()}.
     *
     * @param actual an answer of {@code application/problem+json}
     * @return assertions, each of which fails where the answer is another one
     */
    public static ProblemAssert assertThatProblem(EntityExchangeResult<byte[]> actual) {
        return new ProblemAssert(ProblemAnswer.of(actual));
    }
}
