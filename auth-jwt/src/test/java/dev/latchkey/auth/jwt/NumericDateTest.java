package dev.latchkey.auth.jwt;

import static dev.latchkey.auth.jwt.Forge.claims;
import static dev.latchkey.auth.jwt.Forge.outcome;
import static dev.latchkey.auth.jwt.Forge.token;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A date is a number, however it is written, within the years 1 to 9999. */
class NumericDateTest {

    @ParameterizedTest
    @CsvSource({
        "0, verified",
        "0.5, verified",
        "9e8, verified",
        "-62135596800, verified",
        "-62135596800.0, verified",
        "-62135596800.001, ill_typed_claim",
        "-62135596801, ill_typed_claim"
    })
    void timeOfIssue_isAnyNumberFromTheFirstSecondOn(String date, String outcome) {
        assertThat(outcome(token(claims("\"iat\":" + date)))).isEqualTo(outcome);
    }
}
