package dev.latchkey.plugins.apikeys.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.json.JsonMembers;
import dev.latchkey.plugins.apikeys.KeyRequest;
import dev.latchkey.plugins.apikeys.OwnApiKeys.OwnerProof;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The members of a body, with their defaults and bounds. */
class KeyBodyTest {

    private static KeyBody body(Object... members) {
        Map<String, Object> all = new HashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            all.put((String) members[i], members[i + 1]);
        }
        return new KeyBody(JsonMembers.of(json(all)), 365);
    }

    private static String json(Object value) {
        if (value instanceof Map<?, ?> members) {
            return members.entrySet().stream()
                    .map(each -> json(each.getKey()) + ":" + json(each.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> values) {
            return values.stream().map(KeyBodyTest::json).collect(Collectors.joining(", ", "[", "]"));
        }
        return value instanceof String text ? '"' + text + '"' : String.valueOf(value);
    }

    @Test
    void lifetime_isOneDayToTheMost_whichIsTheDefault() {
        assertThat(body("name", "ci").request().lifetime()).isEqualTo(Duration.ofDays(365));
        for (Object days : List.of(1, 1L, 365, 365L)) {
            KeyRequest request = body("name", "ci", "expires_in_days", days).request();
            assertThat(request.lifetime()).isEqualTo(Duration.ofDays(((Number) days).longValue()));
        }
        for (Object days : List.of(0, 366, -1, 366L, 1.0, "1", true)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () -> body("name", "ci", "expires_in_days", days).request())
                    .withMessage("expires_in_days must be a whole number from 1 to 365");
        }
    }

    @Test
    void overlap_isNoneToThirtyDays_andADayByDefault() {
        assertThat(body().rotation().overlap()).isEqualTo(Duration.ofDays(1));
        assertThat(body("overlap_hours", 0).rotation().overlap()).isZero();
        assertThat(body("overlap_hours", 720).rotation().overlap()).isEqualTo(Duration.ofDays(30));
        for (int hours : new int[] {-1, 721}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> body("overlap_hours", hours).rotation());
        }
    }

    @Test
    void scopes_areAListOfTexts() {
        assertThat(body("name", "ci", "scopes", List.of("a", "b")).request().scopes())
                .containsExactlyInAnyOrder("a", "b");
        assertThat(body("name", "ci").request().scopes()).isEmpty();
        for (Object scopes : List.of("a", 1, Map.of("a", "b"), List.of(1), List.of("a", List.of()))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> body("name", "ci", "scopes", scopes).request());
        }
    }

    @Test
    void proof_hasTheAccountsName_unlessTheBodyNamesAnother() {
        OwnerProof proof = body("password", "secret", "code", "123456", "pin", "1", "name", "ci", "overlap_hours", 1)
                .proofOf("ada");
        assertThat(proof.login().username()).isEqualTo("ada");
        assertThat(proof.login().password().matches(Secret.of("secret"))).isTrue();
        assertThat(proof.responses()).containsOnlyKeys("code", "pin");
        assertThat(proof.responses().get("code").matches(Secret.of("123456"))).isTrue();
        assertThat(body("username", "ada@example.org").proofOf("ada").login().username())
                .isEqualTo("ada@example.org");
        assertThat(body().proofOf("ada").responses()).containsOnlyKeys("code");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> body("password", 1).proofOf("ada"))
                .withMessage("password must be a text");
    }
}
