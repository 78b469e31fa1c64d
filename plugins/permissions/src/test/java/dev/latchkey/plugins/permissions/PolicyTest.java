package dev.latchkey.plugins.permissions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Permission;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PolicyTest {

    private static final Subject ADA = Subject.of("ada");
    private static final Permission READ = new Permission("a:b", "r");

    @Test
    void ungrantedPermission_isDenied() {
        Policy policy = Policy.builder().grant("reader", "a:*", "r").build();
        assertThat(policy.allows(Set.of("reader"), ADA, READ)).isTrue();
        assertThat(policy.allows(Set.of(), ADA, READ)).isFalse();
        assertThat(policy.allows(Set.of("writer", "unknown"), ADA, READ)).isFalse();
        assertThat(Policy.builder().build().allows(Set.of("reader"), ADA, READ)).isFalse();
    }

    @Test
    void roleHasWhatItIncludes_butNotTheOtherWayAround() {
        Policy policy = Policy.builder()
                .grant("reader", "a:*", "r")
                .include("editor", "reader")
                .include("admin", "editor")
                .build();
        assertThat(policy.allows(Set.of("admin"), ADA, READ)).isTrue();
        Policy other = Policy.builder()
                .grant("admin", "a:*", "r")
                .include("admin", "reader")
                .build();
        assertThat(other.allows(Set.of("reader"), ADA, READ)).isFalse();
    }

    @Test
    void rolesThatIncludeEachOther_mayDoTheSame_andEnd() {
        Policy policy = Policy.builder()
                .grant("a", "a:*", "r")
                .include("a", "b")
                .include("b", "c")
                .include("c", "a")
                .build();
        assertThat(policy.allows(Set.of("b"), ADA, READ)).isTrue();
    }

    @Test
    void roleHasAName_andIsCountedOnce() {
        Policy.Builder builder = Policy.builder()
                .grant("reader", "a:*", "r")
                .grant("reader", "b", "r")
                .include("reader", "guest");
        assertThat(builder.build().size()).isEqualTo(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Policy.builder().grant(" ", "a", "r"))
                .withMessage("A role has a name");
        assertThatIllegalArgumentException().isThrownBy(() -> Policy.builder().include("", "a"));
    }

    /** Two patterns with a common node of the tree grant their own rights. */
    @Test
    void patternsWithOneBeginning_grantForThemselves() {
        Policy policy = Policy.builder()
                .grant("reader", "a*b:c", "r")
                .grant("reader", "a*b:d", "w")
                .grant("reader", "a*x:c", "w")
                .build();
        assertThat(policy.allows(Set.of("reader"), ADA, new Permission("ab:c", "r")))
                .isTrue();
        assertThat(policy.allows(Set.of("reader"), ADA, new Permission("ab:d", "r")))
                .isFalse();
        assertThat(policy.allows(Set.of("reader"), ADA, new Permission("ab:d", "w")))
                .isTrue();
        assertThat(policy.allows(Set.of("reader"), ADA, new Permission("ax:c", "r")))
                .isFalse();
        assertThat(policy.allows(Set.of("reader"), ADA, new Permission("ax:c", "w")))
                .isTrue();
    }

    @Test
    void twoRolesOfOnePattern_haveTheirOwnActions() {
        Policy policy = Policy.builder()
                .grant("reader", "a:*", "r")
                .grant("writer", "a:*", "w")
                .build();
        assertThat(policy.allows(Set.of("writer"), ADA, READ)).isFalse();
        assertThat(policy.allows(Set.of("writer", "reader"), ADA, READ)).isTrue();
    }

    /** The tree against one regular expression for each pattern. */
    @Test
    void answersAreThoseOfPlainPatterns() {
        Random random = new Random(7);
        for (int round = 0; round < 3_000; round++) {
            Policy.Builder builder = Policy.builder();
            StringBuilder regex = new StringBuilder("(?!)");
            for (int i = 0; i < 5; i++) {
                String pattern = text(random, "ab:/*", 6);
                if (tryGrant(builder, pattern)) {
                    regex.append('|').append(regexOf(pattern));
                }
            }
            Policy policy = builder.build();
            Pattern plain = Pattern.compile(regex.toString());
            for (int i = 0; i < 20; i++) {
                String resource = text(random, "ab:/", 7);
                assertThat(policy.allows(Set.of("role"), ADA, new Permission(resource, "r")))
                        .as("%s against %s", resource, plain)
                        .isEqualTo(plain.matcher(resource).matches());
            }
        }
    }

    private static boolean tryGrant(Policy.Builder builder, String pattern) {
        try {
            builder.grant("role", pattern, "r");
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String regexOf(String pattern) {
        String inner = pattern.endsWith("*") ? pattern.substring(0, pattern.length() - 1) : pattern;
        return inner.replace("*", "[^:/]*") + (pattern.endsWith("*") ? ".*" : "");
    }

    private static String text(Random random, String alphabet, int most) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(most);
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
