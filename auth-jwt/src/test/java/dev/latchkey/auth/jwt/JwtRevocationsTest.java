package dev.latchkey.auth.jwt;

import static dev.latchkey.auth.jwt.Forge.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A token is revoked by its id, its session or its subject. */
class JwtRevocationsTest {

    private final Instant later = Instant.now().plusSeconds(3600);

    private final InMemoryRevocationStore store = new InMemoryRevocationStore(Duration.ofHours(1));
    private final JwtRevocations revocations = JwtRevocations.in(store);

    private static VerifiedJwt jwt(String members) {
        return Forge.verifier().verifyOrThrow(Forge.token(Forge.claims(members)));
    }

    @Test
    void tokenOfWhichNothingIsRevoked_isNotRevoked() {
        store.revokeToken("other", later);
        store.revokeSubject("b", NOW);
        assertThat(revocations.isRevoked(jwt("\"sub\":\"a\",\"jti\":\"1\",\"sid\":\"s\"")))
                .isFalse();
        assertThat(revocations.isRevoked(jwt(""))).isFalse();
    }

    @Test
    void token_isRevokedByItsIdAndByItsLogin() {
        store.revokeToken("x", later);
        assertThat(revocations.isRevoked(jwt("\"jti\":\"x\""))).isTrue();
        assertThat(revocations.isRevoked(jwt("\"sid\":\"x\""))).isTrue();
        assertThat(revocations.isRevoked(jwt("\"sub\":\"x\""))).isFalse();
    }

    @Test
    void tokenWithoutAnId_isRevokedAlone() {
        VerifiedJwt old = jwt("\"sub\":\"a\",\"n\":1");
        revocations.revoke(old, later);
        assertThat(revocations.isRevoked(old)).isTrue();
        assertThat(revocations.isRevoked(jwt("\"sub\":\"a\",\"n\":2"))).isFalse();
        assertThat(revocations.isRevoked(jwt("\"sub\":\"a\",\"n\":1,\"jti\":\"1\"")))
                .isFalse();
        VerifiedJwt nobodys = jwt("\"n\":1");
        revocations.revoke(nobodys, later);
        assertThat(revocations.isRevoked(nobodys)).isTrue();
    }

    @Test
    void logoutsOfTokensToActWith_takeTheSpaceOfTheAccountThatActs() {
        for (int i = 0; i <= 1_000; i++) {
            revocations.revoke(jwt("\"sub\":\"bob\",\"act\":{\"sub\":\"alice\"},\"jti\":\"" + i + "\""), later);
        }
        assertThat(revocations.isRevoked(jwt("\"sub\":\"bob\",\"jti\":\"own\"")))
                .isFalse();
        assertThat(revocations.isRevoked(jwt("\"sub\":\"alice\",\"jti\":\"own\"")))
                .isTrue();
    }

    @Test
    void tokenWithAnId_isAskedForByThisIdOnly() {
        assertThat(jwt("\"jti\":\"x\"").revocationId()).isEqualTo("x");
        assertThat(jwt("\"sub\":\"x\"").revocationId())
                .matches("payload-sha256:[A-Za-z0-9_-]{43}")
                .isEqualTo(jwt("\"sub\":\"x\"").revocationId());
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "1", "[\"x\"]", "{\"x\":\"x\"}", "true"})
    void sessionOfAnotherType_isNone(String session) {
        store.revokeToken("x", later);
        assertThat(revocations.isRevoked(jwt("\"sid\":" + session))).isFalse();
    }

    @Test
    void tokenIssuedBeforeItsSubjectsBound_isRevoked_andOneAtTheBoundIsNot() {
        store.revokeSubject("a", NOW.minusSeconds(10));
        long bound = NOW.getEpochSecond() - 9;
        assertThat(revocations.isRevoked(jwt("\"sub\":\"a\",\"iat\":" + (bound - 1))))
                .isTrue();
        assertThat(revocations.isRevoked(jwt("\"sub\":\"a\",\"iat\":" + (bound - 1) + ".999999999999")))
                .isTrue();
        assertThat(revocations.isRevoked(jwt("\"sub\":\"a\",\"iat\":" + bound))).isFalse();
        assertThat(revocations.isRevoked(jwt("\"sub\":\"a\""))).as("no iat").isTrue();
    }

    @Test
    void storeThatDoesNotAnswer_leavesTheQuestionOpen() {
        RevocationStore down = new RevocationStore() {
            @Override
            public void revokeToken(String tokenId, Instant expiresAt) {
                throw AuthUnavailableException.outage("down");
            }

            @Override
            public void revokeSubject(String subjectId, Instant notBefore) {
                throw AuthUnavailableException.outage("down");
            }

            @Override
            public Instant notBefore(String subjectId) {
                throw AuthUnavailableException.outage("down");
            }

            @Override
            public boolean isTokenRevoked(String tokenId) {
                throw AuthUnavailableException.outage("down");
            }
        };
        for (String members : new String[] {"\"sub\":\"a\"", "\"jti\":\"1\"", "\"sid\":\"1\""}) {
            VerifiedJwt jwt = jwt(members);
            assertThatThrownBy(() -> JwtRevocations.in(down).isRevoked(jwt))
                    .isInstanceOf(AuthUnavailableException.class);
        }
    }
}
