package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the plugin reads from a token besides the subject's id. */
class TokenSubjectTest {

    private final InMemoryRevocationStore revocations = new InMemoryRevocationStore(Duration.ofHours(1));
    private final JwtAuthPlugin plugin = JwtAuthPlugin.of(Forge.verifier(), revocations);

    private Decision decide(String members) {
        return plugin.authenticate(
                BearerToken.of(Forge.token(Forge.claims("\"sub\":\"alice\"" + members))), RequestContext.none());
    }

    private Authenticated accepted(String members) {
        return (Authenticated) decide(members);
    }

    @Test
    void claimsOfTheTokensOwn_areClaimsOfTheSubject() {
        Authenticated login = accepted(
                ",\"region\":\"emea\",\"level\":3,\"quota\":0.5,\"internal\":true,\"groups\":[\"a\",\"b\"],\"jti\":\"1\",\"sid\":\"2\"");
        assertThat(login.subject().claims())
                .isEqualTo(Map.of(
                        "region", "emea", "level", 3L, "quota", 0.5, "internal", true, "groups", List.of("a", "b")));
    }

    @Test
    void claimsThatNoSubjectCanHave_areLeftOut() {
        Authenticated login = accepted(
                ",\"address\":{\"street\":\"x\"},\"nothing\":null,\"mixed\":[1,\"a\"],\"huge\":1e999,\"ok\":1,\"long\":\""
                        + "x".repeat(3_000) + "\"");
        assertThat(login.subject().claims()).isEqualTo(Map.of("ok", 1L));
    }

    @Test
    void moreClaimsThanASubjectCanHave_areCutOff() {
        StringBuilder members = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            members.append(",\"c").append(i).append("\":").append(i);
        }
        assertThat(accepted(members.toString()).subject().claims()).hasSize(32).containsKeys("c0", "c31");
    }

    @Test
    void claimThatAuthoritiesAreReadFrom_isNoAttribute_norAnyThatMeansSomethingElse() {
        String token = Forge.token(
                Forge.claims("\"sub\":\"alice\",\"authorities\":[\"A\"],\"sid\":\"1\",\"amr\":[\"pwd\"],\"level\":3"));
        Authenticated login = (Authenticated) plugin.authenticate(BearerToken.of(token), RequestContext.none());
        assertThat(login.subject().authorities()).containsExactly("A");
        assertThat(login.subject().claims()).isEqualTo(Map.of("level", 3L));
    }

    @Test
    void subjectsOfOneToken_areEqual_andAsIfTheClaimsHadBeenGiven() {
        Subject subject = accepted(",\"level\":3").subject();
        assertThat(subject)
                .isEqualTo(accepted(",\"level\":3").subject())
                .isEqualTo(Subject.of("alice").withClaim("level", 3))
                .isNotEqualTo(accepted(",\"level\":4").subject());
    }

    @Test
    void tokenWithRegisteredClaimsAlone_hasNoOwnClaims() {
        assertThat(accepted(",\"iss\":\"i\",\"jti\":\"1\"").subject().claims()).isEmpty();
    }

    @Test
    void methodsAndTheirTime_areTheFactors() {
        assertThat(accepted(",\"amr\":[\"pwd\",\"otp\"],\"auth_time\":1000").factors())
                .isEqualTo(new Factors(Set.of("pwd", "otp"), Instant.ofEpochSecond(1000)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",\"auth_time\":1000",
                ",\"amr\":\"pwd\",\"auth_time\":1000",
                ",\"amr\":[1],\"auth_time\":1000",
                ",\"amr\":[\"\"],\"auth_time\":1000",
                ",\"amr\":[\"p w d\"],\"auth_time\":1000",
                ",\"amr\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"],\"auth_time\":1000",
                ",\"amr\":[\"pwd\"],\"auth_time\":9223372036854775807",
                ",\"amr\":null"
            })
    void tokenThatSaysItInAnotherWay_hasNoFactors_andIsAcceptedAllTheSame(String members) {
        assertThat(accepted(members).factors()).isEqualTo(Factors.none());
    }

    @Test
    void methodsWithoutATime_areOld() {
        assertThat(accepted(",\"amr\":[\"pwd\"]").factors()).isEqualTo(Factors.of(Instant.EPOCH, "pwd"));
    }

    @Test
    void escapedNames_areTheSameNames() {
        Authenticated login = accepted(",\"\\u0061uthorities\":[\"ROLE_A\"],\"\\u0061mr\":[\"pwd\"]");
        assertThat(login.subject().authorities()).containsExactly("ROLE_A");
        assertThat(login.factors().methods()).containsExactly("pwd");
        assertThat(login.subject().claims()).isEmpty();
    }

    @Test
    void loginThatTheTokenBelongsTo_isAskedAbout() {
        revocations.revokeToken("login-1", Instant.MAX);
        assertThat(decide(",\"sid\":\"login-1\"")).isInstanceOf(Rejected.class);
        assertThat(decide(",\"sid\":\"login-2\"")).isInstanceOf(Authenticated.class);
    }
}
