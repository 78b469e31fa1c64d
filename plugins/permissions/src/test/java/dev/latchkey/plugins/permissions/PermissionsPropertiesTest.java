package dev.latchkey.plugins.permissions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.plugins.permissions.PermissionsProperties.Role;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Roles in the configuration of a service, and the mistakes that a person makes there. */
class PermissionsPropertiesTest {

    private static final Subject ADA = Subject.of("ada");

    private static ConfiguredPolicyStore store(Map<String, Role> roles, Map<String, Set<String>> subjects) {
        return new PermissionsProperties(null, Duration.ofSeconds(10), roles, subjects).configured();
    }

    private static Role role(List<String> permissions, String... includes) {
        return new Role(permissions, List.of(includes));
    }

    private static void assertWrong(Map<String, Role> roles, Map<String, Set<String>> subjects, String message) {
        assertThatExceptionOfType(PluginConfigException.class)
                .isThrownBy(() -> store(roles, subjects))
                .withMessageStartingWith("latchkey.permissions.policy." + message);
    }

    @Test
    void roles_haveTheirPermissions_andThoseTheyInclude() {
        ConfiguredPolicyStore store = store(
                Map.of("reader", role(List.of("  r   ns:public:*  ")), "admin", role(List.of("w x"), "reader")),
                Map.of("ada", Set.of("admin")));
        assertThat(store.rolesOf("ada")).containsExactly("admin");
        assertThat(store.rolesOf("grace")).isEmpty();
        Policy policy = store.load();
        assertThat(policy.allows(Set.of("admin"), ADA, new Permission("ns:public:a", "r")))
                .isTrue();
        assertThat(policy.allows(Set.of("admin"), ADA, new Permission("x", "w")))
                .isTrue();
        assertThat(policy.allows(Set.of("reader"), ADA, new Permission("x", "w")))
                .isFalse();
    }

    @Test
    void roleThatIsIncludedTwice_isNoLoop() {
        Map<String, Role> diamond = Map.of(
                "a", role(List.of(), "b", "c"),
                "b", role(List.of(), "d"),
                "c", role(List.of(), "d"),
                "d", role(List.of("r x")));
        assertThat(store(diamond, Map.of()).load().allows(Set.of("a"), ADA, new Permission("x", "r")))
                .isTrue();
    }

    @Test
    void mistake_isNamedWithItsProperty() {
        assertWrong(
                Map.of("a", role(List.of("r x", "rx"))),
                Map.of(),
                "roles[a].permissions[1]: a permission is written as actions");
        assertWrong(
                Map.of("SCOPE_a.read", role(List.of("r b**"))),
                Map.of(),
                "roles[SCOPE_a.read].permissions[0]: The resource 'b**'");
        assertWrong(Map.of("a", role(List.of(), "b")), Map.of(), "roles[a].includes: the role 'b' is none of [a]");
        assertWrong(
                Map.of("a", role(List.of())), Map.of("ada", Set.of("b")), "subjects[ada]: the role 'b' is none of [a]");
        assertWrong(Map.of("a", role(List.of(), "a")), Map.of(), "roles[a].includes: the role includes itself");
        assertWrong(Map.of("a", role(List.of(), "b"), "b", role(List.of(), "a")), Map.of(), "roles[");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1s", "0s", "2d"})
    void delayOutOfRange_isNamed(String time) {
        assertStartEnds("latchkey.permissions.policy.seen-within", "store=properties", "seen-within=" + time);
    }

    @Test
    void storeWithoutAName_isNamed() {
        assertStartEnds("latchkey.permissions.policy.store", "store=");
    }

    @Test
    void ageOfRoles_isThatOfLatchkeysNanoTime() {
        Permission write = new Permission("note", "w");
        AtomicLong nanos = new AtomicLong();
        ChangedStore store = new ChangedStore();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LatchkeyPermissionsAutoConfiguration.class))
                .withPropertyValues("latchkey.permissions.policy.store=jdbc")
                .withBean(PolicyStore.class, () -> store)
                .withBean("latchkeyNanoTime", LongSupplier.class, () -> nanos::get)
                .run(context -> {
                    PermissionsPlugin plugin = context.getBean(PermissionsPlugin.class);
                    assertThat(plugin.authorize(ADA, write)).isEqualTo(Access.GRANTED);
                    store.roles = Set.of();
                    nanos.addAndGet(Duration.ofSeconds(10).toNanos() - 1);
                    assertThat(plugin.authorize(ADA, write)).isEqualTo(Access.GRANTED);
                    nanos.addAndGet(1);
                    assertThat(plugin.authorize(ADA, write)).isEqualTo(Access.DENIED);
                });
    }

    private static final class ChangedStore implements PolicyStore {

        private volatile Set<String> roles = Set.of("editor");

        @Override
        public Policy load() {
            return Policy.builder().grant("editor", "note", "w").build();
        }

        @Override
        public Set<String> rolesOf(String subjectId) {
            return roles;
        }
    }

    private static void assertStartEnds(String named, String... properties) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LatchkeyPermissionsAutoConfiguration.class))
                .withPropertyValues(Stream.of(properties)
                        .map(each -> "latchkey.permissions.policy." + each)
                        .toArray(String[]::new))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(PluginConfigException.class)
                        .hasMessageContaining(named));
    }
}
