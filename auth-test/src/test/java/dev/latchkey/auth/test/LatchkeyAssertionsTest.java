package dev.latchkey.auth.test;

import static dev.latchkey.auth.test.LatchkeyAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Subject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.mock.web.MockHttpServletResponse;

/** A true assertion passes, and a false assertion fails with the actual values in the message. */
class LatchkeyAssertionsTest {

    private static final Instant END = Instant.parse("2030-01-01T00:00:00Z");
    private static final Decision ADA = new Authenticated(
                    Subject.of("ada").withAuthorities("ROLE_READER").withClaim("team", "engines"), END)
            .decidedBy("directory");
    private static final Decision LOCKED =
            Rejected.because(RejectionReason.ACCOUNT_LOCKED).withDetail("too_often");
    private static final Decision STEP = Challenged.by(Authenticated.as(Subject.of("ada")), Factors.ONE_TIME_CODE);

    @Test
    void trueAssertion_passes() {
        assertThat(ADA)
                .isAuthenticated()
                .isAuthenticatedAs("ada")
                .hasAuthorities("ROLE_READER")
                .hasClaim("team", "engines")
                .isDecidedBy("directory")
                .isValidUntil(END);
        assertThat(LOCKED)
                .isRejected()
                .isRejectedBecause(RejectionReason.ACCOUNT_LOCKED)
                .hasDetail("too_often");
        assertThat(STEP).isChallengedFor("otp");
        assertThat(Decision.abstained()).hasAbstained();
    }

    static Stream<ThrowingCallable> wrongWordsOnDecisions() {
        return Stream.of(
                () -> assertThat(LOCKED).isAuthenticated(),
                () -> assertThat(STEP).isAuthenticated(),
                () -> assertThat(ADA).isAuthenticatedAs("grace"),
                () -> assertThat(ADA).hasAuthorities("ROLE_READER", "ROLE_LIBRARIAN"),
                () -> assertThat(ADA).hasAuthorities(),
                () -> assertThat(ADA).hasClaim("team", "compilers"),
                () -> assertThat(ADA).isDecidedBy("users"),
                () -> assertThat(ADA).isValidUntil(END.plusSeconds(1)),
                () -> assertThat(ADA).isRejected(),
                () -> assertThat(STEP).isRejected(),
                () -> assertThat(LOCKED).isRejectedBecause(RejectionReason.ACCOUNT_DISABLED),
                () -> assertThat(LOCKED).hasDetail(""),
                () -> assertThat(STEP).isChallengedFor("hwk"),
                () -> assertThat(ADA).isChallengedFor("otp"),
                () -> assertThat(LOCKED).hasAbstained(),
                () -> assertThat((Decision) null).isRejected());
    }

    @ParameterizedTest
    @MethodSource("wrongWordsOnDecisions")
    void falseAssertion_fails(ThrowingCallable assertion) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion);
    }

    @Test
    void failure_saysWhatWasDecided() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(LOCKED).as("the third attempt").isAuthenticated())
                .withMessageContaining("the third attempt")
                .withMessageContaining("ACCOUNT_LOCKED")
                .withMessageContaining("too_often");
    }

    @Test
    void problemThatIsOne_passes() {
        problem(401, "")
                .isUnauthorized()
                .hasStatus(401)
                .hasType("about:blank")
                .hasTitle("Title")
                .hasDetail("Why.");
        problem(403, "").isForbidden();
        problem(429, "", "Retry-After", "30").isTooManyRequests();
        problem(503, "", "Retry-After", "5").isUnavailable();
        problem(400, ",\"error\":\"invalid_grant\",\"n\":7")
                .hasMember("error", "invalid_grant")
                .hasMember("n", 7L);
        problem(401, "", "WWW-Authenticate", "Bearer realm=\"Realm\", error=\"invalid_token\"")
                .refusesTheToken();
        answer(
                        401,
                        "application/problem+json;charset=UTF-8",
                        "{\"type\":\"tag:latchkey.dev,2026:next-step\",\"status\":401,\"method\":\"otp\",\"continuation\":\"x\"}")
                .asksForStep("otp");
    }

    static Stream<ThrowingCallable> wrongWordsOnProblems() {
        return Stream.of(
                () -> problem(401, "").hasStatus(403),
                () -> problem(401, "").hasType("about:other"),
                () -> problem(401, "").hasMember("error", "invalid_grant"),
                () -> problem(401, "").refusesTheToken(),
                () -> problem(401, "", "WWW-Authenticate", "Bearer realm=\"Realm\"")
                        .refusesTheToken(),
                () -> problem(401, "", "WWW-Authenticate", "Basic error=\"invalid_token\"")
                        .refusesTheToken(),
                () -> problem(429, "").isTooManyRequests(),
                () -> problem(429, "", "Retry-After", "0").isTooManyRequests(),
                () -> problem(429, "", "Retry-After", "1").isUnavailable(),
                () -> problem(401, "").asksForStep("otp"),
                () -> answer(401, "application/json", "{\"status\":401}").isUnauthorized(),
                () -> answer(401, "application/problem+json", "").isUnauthorized(),
                () -> answer(401, "application/problem+json", "not JSON").isUnauthorized(),
                () -> answer(401, "application/problem+json", "[1]").isUnauthorized(),
                () -> answer(401, "application/problem+json", "{\"status\":403}")
                        .isUnauthorized());
    }

    @ParameterizedTest
    @MethodSource("wrongWordsOnProblems")
    void problemThatIsNone_fails(ThrowingCallable assertion) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion);
    }

    @Test
    void failure_doesNotShowABodyThatIsNoProblem() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> answer(200, "application/json", "{\"access_token\":\"a.b.c\"}")
                        .isUnauthorized())
                .withMessageContaining("status 200")
                .withMessageContaining("24 characters")
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("a.b.c"));
    }

    @Test
    void answerOfMockMvc_isReadWithItsFields() throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        response.setStatus(429);
        response.setContentType("application/problem+json");
        response.setHeader("retry-after", "12");
        response.getOutputStream().write("{\"status\":429}".getBytes(StandardCharsets.UTF_8));
        new ProblemAssert(ProblemAnswer.of(response)).isTooManyRequests();
    }

    private static ProblemAssert problem(int status, String members, String... header) {
        String body = "{\"type\":\"about:blank\",\"title\":\"Title\",\"status\":" + status + ",\"detail\":\"Why.\""
                + members + "}";
        return answer(status, "application/problem+json", body, header);
    }

    private static ProblemAssert answer(int status, String type, String body, String... header) {
        Map<String, List<String>> headers = header.length == 0
                ? Map.of("content-type", List.of(type))
                : Map.of("content-type", List.of(type), header[0], List.of(header[1]));
        return new ProblemAssert(new ProblemAnswer(status, headers, body));
    }
}
