package dev.latchkey.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.autoconfigure.AutoConfiguration;

/** The packages of a module. Each package is a room with one subject. */
final class Rooms {

    /** With the package's own page, its {@code package-info.java}. */
    static final int MOST_FILES = 30;

    /** Modules of many files. Every other module is a single room, where package-private code is visible everywhere. */
    private static final String[] DIVIDED = {
        Arrows.STARTER + "..", Arrows.THROTTLE + "..", Arrows.GUARD + "..", Arrows.PASSWORD + "..", Arrows.CLIENT + ".."
    };

    static final ArchRule ROOMS_MAKE_NO_CIRCLE = slices().assignedFrom(new EachPackage())
            .should()
            .beFreeOfCycles()
            .because("two rooms of which each needs the other are one room with a wall in it");

    static final ArchRule NO_ROOM_IS_CROWDED = classes()
            .that()
            .resideInAnyPackage(DIVIDED)
            .should(new Crowd())
            .because("who looks for a file reads the list of its neighbours first");

    static final ArchRule PUBLIC_TYPES_ARE_LISTED = classes()
            .that()
            .resideInAnyPackage(DIVIDED)
            .and()
            .haveModifier(JavaModifier.PUBLIC)
            .and(DescribedPredicate.describe("are no auto-configurations", Rooms::isNoAutoConfiguration))
            .and()
            .areTopLevelClasses()
            .should(new ArchCondition<JavaClass>("be in public-types.txt") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    boolean listed = PublicTypes.listed().contains(type.getName());
                    events.add(new SimpleConditionEvent(type, listed, type.getName() + " is not in public-types.txt"));
                }
            })
            .because(
                    "a type is public for a service, which is a promise, or for another room, which is none: the list says which");

    private Rooms() {}

    private static boolean isNoAutoConfiguration(JavaClass type) {
        return !type.isAnnotatedWith(AutoConfiguration.class);
    }

    private static final class EachPackage implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().startsWith("dev.latchkey")
                    ? SliceIdentifier.of(type.getPackageName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "each package";
        }
    }

    /** Counts files: top-level classes, and one for the package's page. */
    private static final class Crowd extends ArchCondition<JavaClass> {

        private final Map<String, Integer> files = new TreeMap<>();

        Crowd() {
            super("stand in a package of at most %d files", MOST_FILES);
        }

        @Override
        public void check(JavaClass type, ConditionEvents events) {
            boolean isFile = type.isTopLevelClass() && !type.getSimpleName().equals("package-info");
            files.merge(type.getPackageName(), isFile ? 1 : 0, Integer::sum);
        }

        @Override
        public void finish(ConditionEvents events) {
            files.forEach((room, count) -> events.add(
                    new SimpleConditionEvent(room, count + 1 <= MOST_FILES, room + " has " + (count + 1) + " files")));
            files.clear();
        }
    }
}
