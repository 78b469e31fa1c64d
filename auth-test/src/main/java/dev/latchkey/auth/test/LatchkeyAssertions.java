package dev.latchkey.auth.test;

import dev.latchkey.auth.Decision;
import java.net.http.HttpResponse;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.servlet.MvcResult;

/**
 * AssertJ assertions about decisions of plugins and answers to callers.
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
     * Asserts about the decision of a plugin or a chain.
     *
     * @param actual the decision
     * @return assertions that fail for another decision
     */
    public static DecisionAssert assertThat(Decision actual) {
        return new DecisionAssert(actual);
    }

    /**
     * Asserts about an answer of {@code MockMvc}. With {@code MockMvcTester}, pass the result of
     * {@code getMvcResult()}.
     *
     * @param actual an answer of {@code application/problem+json}
     * @return assertions that fail for another answer
     */
    public static ProblemAssert assertThatProblem(MvcResult actual) {
        return new ProblemAssert(ProblemAnswer.of(actual.getResponse()));
    }

    /**
     * Asserts about the answer of a server.
     *
     * @param actual an answer of {@code application/problem+json}
     * @return assertions that fail for another answer
     */
    public static ProblemAssert assertThatProblem(HttpResponse<String> actual) {
        return new ProblemAssert(
                new ProblemAnswer(actual.statusCode(), actual.headers().map(), actual.body()));
    }

    /**
     * Asserts about an answer of {@code WebTestClient}: {@code expectBody().returnResult()}.
     *
     * @param actual an answer of {@code application/problem+json}
     * @return assertions that fail for another answer
     */
    public static ProblemAssert assertThatProblem(EntityExchangeResult<byte[]> actual) {
        return new ProblemAssert(ProblemAnswer.of(actual));
    }
}
