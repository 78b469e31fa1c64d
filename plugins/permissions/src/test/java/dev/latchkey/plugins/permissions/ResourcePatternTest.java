package dev.latchkey.plugins.permissions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Permission;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The matches and the mismatches of a pattern. */
class ResourcePatternTest {

    private static final Subject ADA =
            Subject.of("ada").withClaim("region", "emea").withClaim("level", 3);

    private static boolean covers(String pattern, String resource) {
        Policy policy = Policy.builder().grant("role", pattern, "r").build();
        return policy.allows(Set.of("role"), ADA, new Permission(resource, "r"));
    }

    @ParameterizedTest
    @CsvSource({
        "a, a",
        "ns:group:config/app.yml, ns:group:config/app.yml",
        "*, anything:at/all",
        "ns:*, ns:group:config/app.yml",
        "ns:*, ns:",
        "ns:*:*, ns:group:config/app.yml",
        "*:*:*, ns:group:config/app.yml",
        "*:*:*, :group:config/app.yml",
        "ns:*:config/*, ns:group:config/com.acme:app/x",
        "ns:*:config/app-*, ns:group:config/app-",
        "ns:*:config/app-*, ns:group:config/app-1:2/3",
        "ns:*:config/app-*.yml, ns:group:config/app-1.yml",
        "ns:a*z:config, ns:az:config",
        "a\\*b:c, a*b:c",
        "user:{subject}:profile, user:ada:profile",
        "{subject}/x, ada/x",
        "region/{region}, region/emea",
        "region/{region}/*, region/emea/a:b",
        "a\\{b\\}, a{b}",
        "{region}:{region}, emea:emea",
        "a\\*:{region}, a*:emea",
        "a*b:c*d/e, axb:cxd/e",
        "{region}/*/x, emea/y/x"
    })
    void coversIt(String pattern, String resource) {
        assertThat(covers(pattern, resource)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "a, b",
        "a, A",
        "a, a:",
        "a, a/b",
        "a:b, a/b",
        "a:b, a",
        "ns:*, ns",
        "ns:*, nsx:a",
        "ns:*:config, ns:config",
        "ns:*:config, ns:a:b:config",
        "ns:*:config, ns:a/b:config",
        "ns:group:config/app.yml, ns:group:config/appxyml",
        "ns:group:config/a.*, ns:group:config/ab",
        "ns:*:config/app-*.yml, ns:group:config/app-.yaml",
        "ns:*:config/app-*.yml, ns:group:config/app-.yml/x",
        "ns:aba*ba:x, ns:aba:x",
        "a\\*b:c, axb:c",
        "user:{subject}:profile, user:eve:profile",
        "user:{subject}:profile, user:{subject}:profile",
        "user:{other}:profile, user::profile",
        "level/{level}, level/3",
        "{region}:{region}, emea:apac",
        "{other}:x, :x",
        "a*b:c, axb:d",
        "*b:x, b",
        "a:*, a"
    })
    void doesNotCoverIt(String pattern, String resource) {
        assertThat(covers(pattern, resource)).isFalse();
    }

    @Test
    void valueOfASubjectThatHasASeparator_isNotSeveralSegments() {
        Policy policy =
                Policy.builder().grant("role", "user:{subject}:profile", "r").build();
        Subject odd = Subject.of("a:b");
        assertThat(policy.allows(Set.of("role"), odd, new Permission("user:a:b:profile", "r")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a**b",
                "a*b*c:d",
                "a\\",
                "x{subject}",
                "{subject}x",
                "{}",
                "{a b}",
                "{",
                "}",
                "a:{x",
                "**",
                "*{subject}",
                "a*{subject}",
                "\\:{subject}",
                "xy{subject}",
                "{subject",
                "{a}b:c"
            })
    void malformedPattern_isRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ResourcePattern.parse(text));
    }

    @Test
    void lengthAndSegments_areBounded() {
        assertThat(covers("a".repeat(500), "a".repeat(500))).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> ResourcePattern.parse("a".repeat(501)));
        assertThat(covers(":".repeat(31), ":".repeat(31))).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> ResourcePattern.parse(":".repeat(32)));
        assertThat(ResourcePattern.parse("{" + "a".repeat(64) + "}").segments()).hasSize(1);
        assertThatIllegalArgumentException().isThrownBy(() -> ResourcePattern.parse("{" + "a".repeat(65) + "}"));
        assertThat(ResourcePattern.parse("{a}").segments()).hasSize(1);
        assertThat(covers("*", "a".repeat(1_024))).isTrue();
        assertThat(covers("*", "a".repeat(1_025))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "r, r, true",
        "rw, w, true",
        "'r,w', w, true",
        "*, anything, true",
        "read, r, false",
        "r, w, false",
        "rw, rw, false",
        "r, *, false",
        "' r , w ', w, true"
    })
    void actions(String granted, String asked, boolean allowed) {
        Policy policy = Policy.builder().grant("role", "a", granted).build();
        assertThat(policy.allows(Set.of("role"), ADA, new Permission("a", asked)))
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "r,", "r w", "r;w", "a(b)", "r*"})
    void malformedAction_isRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Policy.builder().grant("role", "a", text));
    }
}
