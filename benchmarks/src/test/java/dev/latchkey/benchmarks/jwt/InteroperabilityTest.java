package dev.latchkey.benchmarks.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.jwt.JwtDefect;
import dev.latchkey.benchmarks.jwt.TokenLibrary.Algorithm;
import dev.latchkey.benchmarks.jwt.TokenLibrary.Contestant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
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

    private static void assertIsRead(TokenLibrary.Read read, Content content) {
        assertThat(read.subject()).isEqualTo(Content.SUBJECT);
        assertThat(read.claims()).containsOnlyKeys(claimsOf(content));
        assertThat(read.claims().values()).doesNotContainNull();
    }

    private static Set<String> claimsOf(Content content) {
        return content.isFull() ? Set.of("sub", "iat", "exp", "iss", "aud", "nbf", "jti") : Set.of("sub", "iat", "exp");
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void peersToken_isReadByUs(Contestant peer, Algorithm algorithm, Content content) throws Exception {
        String token = peer.with(algorithm, algorithm.key(), content).create(content);
        TokenLibrary ours = Contestant.LATCHKEY.with(algorithm, algorithm.key(), content);
        assertIsRead(ours.read(token), content);
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void ourToken_isReadByThePeer(Contestant peer, Algorithm algorithm, Content content) throws Exception {
        String token =
                Contestant.LATCHKEY.with(algorithm, algorithm.key(), content).create(content);
        TokenLibrary theirs = peer.with(algorithm, algorithm.key(), content);
        assertIsRead(theirs.read(token), content);
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void tokenOfAnotherKey_isRefusedByBoth(Contestant peer, Algorithm algorithm, Content content) throws Exception {
        byte[] otherKey = algorithm.key();
        otherKey[0]++;
        String foreign = peer.with(algorithm, otherKey, content).create(content);
        TokenLibrary ours = Contestant.LATCHKEY.with(algorithm, algorithm.key(), content);
        assertThatThrownBy(() -> ours.read(foreign)).hasMessage(JwtDefect.BAD_MAC.name());
        if (peer != Contestant.LATCHKEY) {
            TokenLibrary theirs = peer.with(algorithm, algorithm.key(), content);
            assertThatThrownBy(() -> theirs.read(foreign)).isInstanceOf(Exception.class);
        }
    }
}
