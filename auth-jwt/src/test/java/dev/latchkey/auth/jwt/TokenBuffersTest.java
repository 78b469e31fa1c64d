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
    void clockThatVerifiesATokenItself_leavesTheBuffersAlone() {
        String outer = Forge.signer().sign(CLAIMS);
        String inner = Forge.signer().sign(CLAIMS.with("x", "y".repeat(100)));
        InstantSource clock = () -> {
            assertThat(outcome(inner)).isEqualTo("verified");
            return Forge.NOW;
        };
        assertThat(outcome(JwtVerifier.with(Forge.KEY).withTimeSource(clock).verify(outer)))
                .isEqualTo("verified");
        String signed = JwtSigner.with(Forge.KEY).withTimeSource(clock).sign(CLAIMS);
        assertThat(signed).isEqualTo(outer);
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

    /** Of this thread; they are taken and never given back, so that the next who asks gets new ones. */
    private static void takeAwayTheKeptBuffers() {
        TokenBuffers.take(0);
    }
}
