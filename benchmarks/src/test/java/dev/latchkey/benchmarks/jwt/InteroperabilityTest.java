package dev.latchkey.benchmarks.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.auth0.jwt.interfaces.DecodedJWT;
import com.google.crypto.tink.jwt.VerifiedJwt;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.latchkey.auth.jwt.JwtDefect;
import dev.latchkey.auth.jwt.JwtResult;
import dev.latchkey.benchmarks.jwt.TokenLibrary.Algorithm;
import dev.latchkey.benchmarks.jwt.TokenLibrary.Contestant;
import io.fusionauth.jwt.domain.JWT;
import io.jsonwebtoken.Claims;
import io.jsonwebtoken.Jws;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jose4j.jwt.JwtClaims;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tokens go both ways between auth-jwt and each peer, under each algorithm, with few claims and with all registered ones. */
class InteroperabilityTest {

    static Stream<Arguments> combinations() {
        List<Arguments> all = new ArrayList<>();
        for (Contestant peer : Contestant.values()) {
            for (Algorithm algorithm : Algorithm.values()) {
                for (Content content : Content.values()) {
                    all.add(Arguments.of(peer, algorithm, content));
                }
            }
        }
        return all.stream();
    }

    /** The subject in a library's result. */
    private static String subjectOf(Object verified) throws Exception {
        if (verified instanceof Jws<?> jjwt) {
            return ((Claims) jjwt.getPayload()).getSubject();
        } else if (verified instanceof JWTClaimsSet nimbus) {
            return nimbus.getSubject();
        } else if (verified instanceof DecodedJWT auth0) {
            return auth0.getSubject();
        } else if (verified instanceof JwtClaims jose4j) {
            return jose4j.getSubject();
        } else if (verified instanceof JWT fusionAuth) {
            return fusionAuth.subject;
        } else if (verified instanceof VerifiedJwt tink) {
            return tink.getSubject();
        }
        return ((JwtResult.Verified) verified).jwt().subject().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void peersToken_isVerified(Contestant peer, Algorithm algorithm, Content content) throws Exception {
        String token = peer.with(algorithm, algorithm.key(), content).create(content);
        TokenLibrary ours = Contestant.LATCHKEY.with(algorithm, algorithm.key(), content);
        assertThat(subjectOf(ours.verify(token))).isEqualTo(Content.SUBJECT);
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void ourToken_isVerifiedByThePeer(Contestant peer, Algorithm algorithm, Content content) throws Exception {
        String token =
                Contestant.LATCHKEY.with(algorithm, algorithm.key(), content).create(content);
        TokenLibrary theirs = peer.with(algorithm, algorithm.key(), content);
        assertThat(subjectOf(theirs.verify(token))).isEqualTo(Content.SUBJECT);
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void tokenOfAnotherKey_isRefusedByBoth(Contestant peer, Algorithm algorithm, Content content) throws Exception {
        byte[] otherKey = algorithm.key();
        otherKey[0]++;
        String foreign = peer.with(algorithm, otherKey, content).create(content);
        TokenLibrary ours = Contestant.LATCHKEY.with(algorithm, algorithm.key(), content);
        assertThat(ours.verify(foreign)).isEqualTo(new JwtResult.Refused(JwtDefect.BAD_MAC));
        if (peer != Contestant.LATCHKEY) {
            TokenLibrary theirs = peer.with(algorithm, algorithm.key(), content);
            assertThatThrownBy(() -> theirs.verify(foreign)).isInstanceOf(Exception.class);
        }
    }
}
