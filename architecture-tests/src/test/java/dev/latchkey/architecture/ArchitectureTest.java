package dev.latchkey.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.plugins.apikeys.spring.ApiKeysAutoConfiguration;
import dev.latchkey.plugins.codes.spring.OneTimeCodesAutoConfiguration;
import dev.latchkey.plugins.passkeys.spring.PasskeysAutoConfiguration;
import dev.latchkey.throttle.spring.LatchkeyThrottleAutoConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;

/** All rules over the classes of all modules. */
class ArchitectureTest {

    private static final JavaClasses PRODUCTION = Production.CLASSES;

    static Stream<String> rules() {
        return Rules.all().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void everyModule_keepsTheRule(String rule) {
        Rules.all().get(rule).check(PRODUCTION);
    }

    @Test
    void everyModule_isLookedAt() {
        assertThat(PRODUCTION.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
                .contains(
                        Arrows.API,
                        Arrows.STORE,
                        Arrows.JWT,
                        Arrows.PASSWORD,
                        Arrows.CACHE,
                        Arrows.GUARD,
                        Arrows.THROTTLE,
                        Arrows.THROTTLE_STARTER,
                        Arrows.JDBC,
                        Arrows.CALLS,
                        Arrows.REDIS,
                        Arrows.CLIENT,
                        Arrows.STARTER,
                        Arrows.TEST_SUPPORT,
                        Arrows.CODES,
                        Arrows.API_KEYS,
                        Arrows.PASSKEYS,
                        Arrows.LDAP,
                        Arrows.EXAMPLE_PLUGIN);
    }

    @Test
    void publicTypes_listNoneThatIsGone() {
        assertThat(PRODUCTION.stream().filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC)))
                .extracting(JavaClass::getName)
                .containsAll(PublicTypes.listed());
    }

    @Test
    void fixturesOfThisModule_areNotAmongTheClasses() {
        assertThat(PRODUCTION.stream().map(JavaClass::getSimpleName)).noneMatch(name -> name.startsWith("Bad"));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                LatchkeyAutoConfiguration.class,
                LatchkeyThrottleAutoConfiguration.class,
                OneTimeCodesAutoConfiguration.class,
                ApiKeysAutoConfiguration.class,
                PasskeysAutoConfiguration.class
            })
    void bootFindsEveryAutoConfiguration_andNothingElse(Class<?> ofTheJar) throws IOException {
        String list = "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";
        URL jar = ofTheJar.getProtectionDomain().getCodeSource().getLocation();
        String packages = Stream.of(
                        Arrows.STARTER, Arrows.THROTTLE_STARTER, Arrows.CODES, Arrows.API_KEYS, Arrows.PASSKEYS)
                .filter(ofTheJar.getPackageName()::startsWith)
                .findFirst()
                .orElseThrow();
        try (URLClassLoader alone = new URLClassLoader(new URL[] {jar}, null);
                InputStream imports = Objects.requireNonNull(alone.getResourceAsStream(list))) {
            assertThat(new String(imports.readAllBytes(), StandardCharsets.UTF_8).lines())
                    .isSorted()
                    .containsExactlyInAnyOrderElementsOf(PRODUCTION.stream()
                            .filter(type -> type.isAnnotatedWith(AutoConfiguration.class))
                            .map(JavaClass::getName)
                            .filter(name -> name.startsWith(packages))
                            .toList());
        }
    }
}
