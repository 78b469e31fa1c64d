package dev.latchkey.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import dev.latchkey.architecture.Drawing.Arrow;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rooms drawn in ARCHITECTURE.md are the rooms of the code. */
class DrawingTest {

    private static final String DRAWN = "a --> b\nb --> c\n";

    @ParameterizedTest
    @CsvSource({
        Arrows.STARTER + ", auth-spring-boot-starter",
        Arrows.THROTTLE + ", throttle",
        Arrows.GUARD + ", auth-guard",
        Arrows.PASSWORD + ", auth-password",
        Arrows.CLIENT + ", auth-client"
    })
    void drawing_isOfTheCode(String base, String module) {
        assertThat(Drawing.of(base, module).differencesFrom(arrowsWithin(base))).isEmpty();
    }

    @Test
    void drawingOfEachArrowButThoseThatFollow_hasNoDifference() {
        assertThat(differences("a --> b\nb --> c\na --> c\n")).isEmpty();
        assertThat(differences(DRAWN)).isEmpty();
    }

    @Test
    void missingAndAdditionalArrows_areReported() {
        assertThat(differences(DRAWN + "c --> a\n")).containsExactly("not drawn: c --> a");
        assertThat(differences("a --> b\n")).containsExactly("not in the code: b --> c");
        assertThat(Drawing.in(DRAWN + "a --> c\n")
                        .differencesFrom(Drawing.in(DRAWN + "a --> c\n").arrows()))
                .containsExactly("follows from others: a --> c");
    }

    private static Set<String> differences(String code) {
        return Drawing.in(DRAWN).differencesFrom(Drawing.in(code).arrows());
    }

    private static Set<Arrow> arrowsWithin(String base) {
        Set<Arrow> arrows = new TreeSet<>();
        Production.CLASSES.stream()
                .filter(type -> type.getPackageName().startsWith(base))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(seen -> seen.getTargetClass().getPackageName().startsWith(base))
                .forEach(seen -> add(seen, arrows));
        return arrows;
    }

    private static void add(Dependency seen, Set<Arrow> arrows) {
        String from = room(seen.getOriginClass());
        String to = room(seen.getTargetClass());
        if (!from.equals(to)) {
            arrows.add(new Arrow(from, to));
        }
    }

    private static String room(JavaClass type) {
        return type.getPackageName().substring(type.getPackageName().lastIndexOf('.') + 1);
    }
}
