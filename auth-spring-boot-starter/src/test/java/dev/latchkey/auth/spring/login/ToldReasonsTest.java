package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.spring.http.AnswerText;
import dev.latchkey.auth.spring.http.EndpointPlay;
import dev.latchkey.auth.spring.token.RevocationReasons;
import dev.latchkey.auth.spring.token.RevocationReasons.Reason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reason that the bearer of a rejected token is told, decided without a web stack. */
class ToldReasonsTest {

    private final RefreshScene scene = new RefreshScene(List.of());
    private final RevocationReasons reasons = new RevocationReasons(scene.verifier, scene.revocations, () -> scene.now);

    private String typeOf(String token) {
        EndpointPlay.Reply reply = AnswerText.of(reasons.answerTo(BearerToken.of(token)));
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.headers().get("WWW-Authenticate"))
                .containsExactly("Bearer realm=\"Realm\", error=\"invalid_token\"");
        return reply.body().replaceAll(".*\"type\":\"([^\"]+)\".*", "$1");
    }

    private String sessionOf(IssuedTokens tokens) {
        return tokens.refresh().orElseThrow().sessionId();
    }

    @Test
    void recordedReason_isTold_ofItsSessionAlone() {
        IssuedTokens first = scene.login();
        IssuedTokens second = scene.login();
        IssuedTokens third = scene.login();
        reasons.record(Reason.REPLACED, "alice", sessionOf(first), scene.now.plusSeconds(3600));
        reasons.record(Reason.ENDED, "alice", sessionOf(second), scene.now.plusSeconds(3600));
        assertThat(typeOf(first.access().value())).isEqualTo("tag:latchkey.dev,2026:login-replaced");
        assertThat(typeOf(second.access().value())).isEqualTo("tag:latchkey.dev,2026:login-ended");
        assertThat(typeOf(third.access().value())).isEqualTo("about:blank");
    }

    @Test
    void revocationOfTheAccount_isAnEnd_andOneIntoTheFutureIsABar() {
        String token = scene.login().access().value();
        scene.revoked.revokeSubject("alice", scene.now);
        scene.now = scene.now.plusSeconds(10);
        assertThat(typeOf(token)).isEqualTo("tag:latchkey.dev,2026:login-ended");
        scene.revoked.revokeSubject("alice", scene.now.plusSeconds(60));
        assertThat(typeOf(token)).isEqualTo("tag:latchkey.dev,2026:account-barred");
        scene.now = scene.now.plusSeconds(3000);
        assertThat(typeOf(token)).as("after the bar").isEqualTo("tag:latchkey.dev,2026:login-ended");
    }

    @Test
    void tokenWithoutASession_hasTheReasonOfItsAccountAlone() {
        String token = scene.signer.sign(JwtClaims.forSubject("alice", Duration.ofHours(1)));
        assertThat(typeOf(token)).isEqualTo("about:blank");
        scene.revoked.revokeSubject("alice", scene.now.plusSeconds(5));
        scene.now = scene.now.plusSeconds(60);
        assertThat(typeOf(token)).isEqualTo("tag:latchkey.dev,2026:login-ended");
    }

    @Test
    void expiredOrForgedToken_isToldNothing() {
        IssuedTokens tokens = scene.login();
        String token = tokens.access().value();
        reasons.record(Reason.REPLACED, "alice", sessionOf(tokens), scene.now.plusSeconds(9000));
        assertThat(typeOf(token.substring(0, token.length() - 4) + "AAAA")).isEqualTo("about:blank");
        scene.now = scene.now.plusSeconds(3600);
        assertThat(typeOf(token)).isEqualTo("about:blank");
    }

    @Test
    void storeThatDoesNotAnswer_isAnOutage() {
        String token = scene.login().access().value();
        scene.revocationsAreDown = true;
        assertThatThrownBy(() -> reasons.answerTo(BearerToken.of(token))).isInstanceOf(AuthUnavailableException.class);
    }
}
