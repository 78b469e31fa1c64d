package dev.latchkey.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubjectClaimsTest {

    private static final Subject ADA = Subject.of("ada");

    @Test
    void claims_areStringsNumbersBooleansAndListsOfStrings() {
        Subject subject = ADA.withClaim("region", "emea")
                .withClaim("level", 3)
                .withClaim("quota", 0.5)
                .withClaim("internal", true)
                .withClaim("groups", List.of("a", "b"));
        assertThat(subject.claims())
                .containsExactly(
                        Map.entry("region", "emea"),
                        Map.entry("level", 3L),
                        Map.entry("quota", 0.5),
                        Map.entry("internal", true),
                        Map.entry("groups", List.of("a", "b")));
    }

    @Test
    void otherTypes_areRefused() {
        for (Object value : List.of(Map.of(), List.of(1), new BigDecimal("1"), Double.NaN, 'c', new Object())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ADA.withClaim("name", value))
                    .withMessageContaining("'name'");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"iss", "sub", "aud", "exp", "nbf", "iat", "jti", "authorities", "sid", "amr", "auth_time", "cnf"
            })
    void nameThatMeansSomethingInTokens_isRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ADA.withClaim(name, "x"))
                .withMessageContaining(name);
    }

    @Test
    void namesNumberAndSize_areBounded() {
        assertThat(ADA.withClaim("n".repeat(64), "x").claims()).hasSize(1);
        for (String name : List.of("", " ", "a\nb", "n".repeat(65))) {
            assertThatIllegalArgumentException().isThrownBy(() -> ADA.withClaim(name, "x"));
        }
        assertThat(ADA.withClaims(claims(32)).claims()).hasSize(32);
        assertThatIllegalArgumentException().isThrownBy(() -> ADA.withClaims(claims(33)));
        assertThat(ADA.withClaim("a", "x".repeat(2_047)).claims()).hasSize(1);
        assertThatIllegalArgumentException().isThrownBy(() -> ADA.withClaim("a", "x".repeat(2_048)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ADA.withClaim("a", List.of("x".repeat(2_000), "y".repeat(48))));
    }

    @Test
    void claims_areCopiedAndCannotBeChanged() {
        List<String> groups = new ArrayList<>(List.of("a"));
        Subject subject = ADA.withClaim("groups", groups);
        groups.add("admin");
        assertThat(subject.claims()).containsEntry("groups", List.of("a"));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> subject.claims().clear());
    }

    @Test
    void foreignClaims_areTakenAsFarAsTheyFit() {
        Map<String, Object> foreign = new LinkedHashMap<>();
        foreign.put("sub", "eve");
        foreign.put("address", Map.of("street", "x"));
        foreign.put("long", "x".repeat(5_000));
        foreign.putAll(claims(40));
        assertThat(ADA.withClaimsThatFit(foreign).claims())
                .hasSize(32)
                .containsKeys("c0", "c31")
                .doesNotContainKeys("sub", "address", "long");
    }

    @Test
    void actorAndKey_areTakenBeforeAllOtherForeignClaims() {
        for (Map<String, Object> full : List.of(claims(32), Map.<String, Object>of("a", "x".repeat(2_047)))) {
            for (String name : List.of(Subject.ACTOR_CLAIM, Subject.KEY_CLAIM)) {
                Map<String, Object> foreign = new LinkedHashMap<>(full);
                foreign.put(name, "id");
                assertThat(ADA.withClaimsThatFit(foreign).claims()).containsEntry(name, "id");
                assertThat(ADA.withClaimsOnDemand(() -> foreign).isOwnLogin()).isFalse();
            }
        }
    }

    @Test
    void actorAndKeyThatAreNoIds_areEmptyTexts() {
        for (Object value : List.of("x".repeat(256), " ", "a\nb", List.of("id"), Map.of("sub", "id"), true)) {
            assertThat(ADA.withClaimsThatFit(Map.of("act", value, "api_key", value))
                            .claims())
                    .isEqualTo(Map.of("act", "", "api_key", ""));
        }
    }

    @Test
    void authoritiesAndClaims_areKeptBesideEachOther() {
        assertThat(ADA.withClaim("a", 1).withAuthorities("ROLE_X").claims()).containsEntry("a", 1L);
        assertThat(ADA.withAuthorities("ROLE_X").withClaim("a", 1).authorities())
                .containsExactly("ROLE_X");
    }

    @Test
    void subjectWithClaims_isSerializable() throws Exception {
        Subject subject = ADA.withClaim("groups", List.of("a")).withClaim("level", 3);
        assertThat(readBack(subject)).isEqualTo(subject);
    }

    @Test
    void claimsOnDemand_areReadOnce_whenSomebodyLooks() {
        AtomicInteger readings = new AtomicInteger();
        Subject subject = ADA.withClaimsOnDemand(() -> {
                    readings.incrementAndGet();
                    return Map.of("level", 3);
                })
                .withAuthorities("ROLE_X")
                .withAuthorities(List.of("ROLE_Y"));
        assertThat(Authenticated.as(subject).decidedBy("jwt").subject()).hasToString(subject.toString());
        assertThat(readings).hasValue(0);
        assertThat(subject.claims()).containsEntry("level", 3L).hasSize(1);
        assertThat(subject.claims().get("level")).isEqualTo(3L);
        assertThat(readings).hasValue(1);
    }

    @Test
    void claimsOnDemand_areEqualToTheSameGivenAtOnce_andCannotBeChanged() {
        Subject subject = ADA.withClaimsOnDemand(() -> Map.of("groups", List.of("a")));
        assertThat(subject).isEqualTo(ADA.withClaim("groups", List.of("a"))).isNotEqualTo(ADA);
        assertThat(subject).hasSameHashCodeAs(ADA.withClaim("groups", List.of("a")));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> subject.claims().put("a", 1));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> subject.claims().clear());
    }

    @Test
    void claimsOnDemand_areTheFittingClaims_alsoAfterAnAddition() {
        Map<String, Object> foreign = new LinkedHashMap<>(claims(40));
        foreign.put("c0", Map.of());
        foreign.put("c1", "x".repeat(5_000));
        Subject subject = ADA.withClaimsOnDemand(() -> foreign);
        assertThat(subject.claims()).hasSize(32).containsKeys("c2", "c33").doesNotContainKeys("c0", "c1");
        assertThatIllegalArgumentException().isThrownBy(() -> subject.withClaim("one more", "x"));
    }

    @Test
    void claimsOnDemand_areStoredWithTheSubject_andCheckedWhenItIsRead() throws Exception {
        Subject subject = ADA.withClaimsOnDemand(() -> Map.of("level", 3));
        assertThat(readBack(subject)).isEqualTo(ADA.withClaim("level", 3));
    }

    private static Object readBack(Subject subject) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(subject);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }

    private static Map<String, Object> claims(int count) {
        Map<String, Object> claims = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            claims.put("c" + i, "x");
        }
        return claims;
    }
}
