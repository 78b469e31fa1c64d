package dev.latchkey.auth.jwt;

import static dev.latchkey.auth.jwt.Forge.claims;
import static dev.latchkey.auth.jwt.Forge.outcome;
import static dev.latchkey.auth.jwt.Forge.token;
import static dev.latchkey.auth.jwt.Forge.verifier;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** A verifier compares expected values as texts, for every spelling in the token. */
class ExpectedTextTest {

    @Test
    void issuerThatBeginsWithABackslash_isNoEscape() {
        JwtVerifier verifier = verifier().expectingIssuer("\\n");
        assertThat(outcome(verifier.verify(token(claims("\"iss\":\"\\\\n\""))))).isEqualTo("verified");
        assertThat(outcome(verifier.verify(token(claims("\"iss\":\"\\n\""))))).isEqualTo("wrong_issuer");
        assertThat(outcome(verifier().expectingIssuer("\n").verify(token(claims("\"iss\":\"\\n\"")))))
                .isEqualTo("verified");
    }

    @Test
    void textThatNoTokenCanHold_isNotExpected() {
        String half = "\ud800";
        assertThatIllegalArgumentException().isThrownBy(() -> verifier().expectingIssuer(half));
        assertThatIllegalArgumentException().isThrownBy(() -> verifier().expectingAudience(half));
        assertThatIllegalArgumentException().isThrownBy(() -> verifier().requiringClaims(half));
    }
}
