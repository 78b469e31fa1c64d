package dev.latchkey.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All rules over the classes of all modules. */
class ArchitectureTest {

    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.latchkey");

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
                        Arrows.JWT,
                        Arrows.PASSWORD,
                        Arrows.CACHE,
                        Arrows.GUARD,
                        Arrows.STARTER,
                        Arrows.EXAMPLE_PLUGIN);
    }

    @Test
    void fixturesOfThisModule_areNotAmongTheClasses() {
        assertThat(PRODUCTION.stream().map(JavaClass::getSimpleName)).noneMatch(name -> name.startsWith("Bad"));
    }
}
