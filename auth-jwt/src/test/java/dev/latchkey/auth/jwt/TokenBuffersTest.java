package dev.latchkey.auth.jwt;

import static dev.latchkey.auth.jwt.Forge.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** Buffers have one owner at a time, fit every length, and do not stay large. */
class TokenBuffersTest {

    private static final JwtClaims CLAIMS = JwtClaims.forSubject("a", Duration.ofHours(1));

    @Test
    void clocksThatVerifyTokensThemselves_leaveTheBuffersOfOthersAlone() {
        String outer = Forge.signer().sign(CLAIMS);
        InstantSource verifying = verifying("y".repeat(100), Forge.CLOCK);
        InstantSource clock = verifying("z".repeat(200), verifying);
        assertThat(outcome(JwtVerifier.with(Forge.KEY).withTimeSource(clock).verify(outer)))
                .isEqualTo("verified");
        assertThat(JwtSigner.with(Forge.KEY).withTimeSource(clock).sign(CLAIMS)).isEqualTo(outer);
    }

    /** A clock that verifies a token at each reading, by another clock. */
    private static InstantSource verifying(String claim, InstantSource clock) {
        String token = Forge.signer().sign(CLAIMS.with("x", claim));
        JwtVerifier verifier = JwtVerifier.with(Forge.KEY).withTimeSource(clock);
        return () -> {
            assertThat(outcome(verifier.verify(token))).isEqualTo("verified");
            return Forge.NOW;
        };
    }

    @Test
    void tokensAroundTheLengthOfNewBuffers_areSignedAndVerified() {
        for (int length = 600; length < 1_200; length++) {
            JwtClaims claims = CLAIMS.with("x", "y".repeat(length));
            takeAwayTheKeptBuffers();
            String token = Forge.signer().sign(claims);
            takeAwayTheKeptBuffers();
            assertThat(outcome(token)).as("%d characters", token.length()).isEqualTo("verified");
        }
    }

    @Test
    void buffersOfALongToken_areNotKept() {
        takeAwayTheKeptBuffers();
        TokenBuffers large = TokenBuffers.take(20_000);
        assertThat(large.token().length).isGreaterThan(20_000);
        large.give();
        assertThat(TokenBuffers.take(1).token().length).isLessThan(10_000);
    }

    /** Of this thread; the buffers are taken and never given back, so the next caller gets new buffers. */
    private static void takeAwayTheKeptBuffers() {
        TokenBuffers.take(0);
    }
}
