package dev.latchkey.auth.cache;

import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.latchkey.auth.cache");

    @Test
    void ofSpring_onlyThePasswordEncoderIsKnown() {
        assertThat(CLASSES)
                .flatMap(each -> each.getDirectDependenciesFromSelf())
                .extracting(dependency -> dependency.getTargetClass().getName())
                .filteredOn(name -> name.startsWith("org.springframework"))
                .containsOnly("org.springframework.security.crypto.password.PasswordEncoder");
    }

    // A virtual thread that blocks while it holds a monitor pins its carrier on JDK 21 to 23.
    @Test
    void nothingHoldsAMonitor() throws IOException {
        methods().should().notHaveModifier(SYNCHRONIZED).check(CLASSES);
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            assertThat(sources.filter(Files::isRegularFile))
                    .isNotEmpty()
                    .allSatisfy(source ->
                            assertThat(Files.readString(source)).doesNotContain("synchronized (", "synchronized("));
        }
    }
}
