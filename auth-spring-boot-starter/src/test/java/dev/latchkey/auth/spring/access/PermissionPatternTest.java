package dev.latchkey.auth.spring.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.latchkey.auth.permission.Permission;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PermissionPatternTest {

    @Test
    void variables_areReplacedByTheirValues() {
        assertThat(PermissionPattern.of("ns:{ns}:{group}/config", "r").resolve(Map.of("ns", "public", "group", "g-1")))
                .contains(new Permission("ns:public:g-1/config", "r"));
        assertThat(PermissionPattern.of("console", "w").resolve(Map.of())).contains(new Permission("console", "w"));
        assertThat(PermissionPattern.of("{name}", "w").resolve(Map.of("name", "a:b")))
                .contains(new Permission("a:b", "w"));
    }

    @ParameterizedTest
    @CsvSource({
        "ns:{v}:config, a:b",
        "ns:{v}:config, :",
        "ns:{v}:config, public:config:x",
        "ns:public/{v}, a:b",
        "ns:public/{v}, a/b",
        "team-{v}, a-b",
        "ns.{v}.config, a.b",
        "a_{v}, b_c",
        "{v}|x, a|b",
        "ns:{v}:config, ''",
        "ns:{v}:config, '  '",
    })
    void valueWithASeparatorOfThePattern_namesNothing(String pattern, String value) {
        assertThat(PermissionPattern.of(pattern, "r").resolve(Map.of("v", value)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "user-profile:{v}, 3f2a-11-b",
        "com.example.Order:{v}, 1.5",
        "ns:{v}:config, a-b_c.d",
        "ns:{v}:config, a/b",
        "ns:{v}:config, *",
    })
    void otherCharacters_areTheValues(String pattern, String value) {
        Optional<Permission> resolved = PermissionPattern.of(pattern, "r").resolve(Map.of("v", value));
        assertThat(resolved).contains(new Permission(pattern.replace("{v}", value), "r"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "ns:{", "ns:}", "ns:{}", "ns:{ }", "ns:{a{b}}", "{a}{b}", "{a}x:{b}"})
    void patternThatIsNone_isRefusedWhereItIsWritten(String pattern) {
        assertThatIllegalArgumentException().isThrownBy(() -> PermissionPattern.of(pattern, "r"));
    }

    @Test
    void blankAction_isRefusedWhereItIsWritten() {
        assertThatIllegalArgumentException().isThrownBy(() -> PermissionPattern.of("ns", " "));
    }

    @Test
    void variableThatThePathHasNot_isAMistakeAndNoDenial() {
        assertThatIllegalStateException()
                .isThrownBy(() -> PermissionPattern.of("ns:{ns}", "r").resolve(Map.of("name", "a")))
                .withMessageContaining("'ns'")
                .withMessageContaining("[name]");
    }
}
