package dev.latchkey.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchConditions.haveModifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.latchkey.auth.DaemonThreads;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.springframework.http.HttpHeaders;

/** How the code is written, where a machine can tell. */
final class Manners {

    static final ArchRule NAMES_SAY_THE_ROLE = noClasses()
            .should(haveSimpleNameLike("(Abstract|Default)[A-Z].*|.*(Utils?|Helper|Manager|Handler|Impl|Base)"))
            .because("a name says what a class is for; these say that nobody knew");

    static final ArchRule CLASSES_ARE_FINAL_OR_SEALED = classes()
            .that()
            .areNotInterfaces()
            .and()
            .areNotEnums()
            .and()
            .areNotAnonymousClasses()
            .should(beFinalOrSealed())
            .because("a class that was not written to be extended breaks when it is");

    static final ArchRule PACKAGES_ARE_NULL_MARKED = classes()
            .should(new ArchCondition<JavaClass>("reside in a package with @NullMarked") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    boolean marked = type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked");
                    events.add(new SimpleConditionEvent(type, marked, type.getPackageName() + " of " + type.getName()));
                }
            })
            .because("on a module it has no effect for those on the class path");

    static final ArchRule NOTHING_IS_PRINTED = noClasses()
            .that(DescribedPredicate.describe(
                    "have no main method",
                    type -> type.tryGetMethod("main", String[].class).isEmpty()))
            .should(ACCESS_STANDARD_STREAMS)
            .because("a library speaks through its log");

    static final ArchRule NOBODY_SLEEPS = noClasses()
            .should()
            .callMethodWhere(target(owner(assignableTo(Thread.class))).and(target(nameMatching("sleep"))))
            .because("who slows an attacker down by sleeping holds a thread for him");

    static final ArchRule THREADS_INHERIT_NOTHING = noClasses()
            .that()
            .areNotAssignableTo(DaemonThreads.class)
            .and()
            .resideOutsideOfPackage(Arrows.CONTRACTS + "..")
            .should()
            .callConstructorWhere(target(owner(assignableTo(Thread.class))))
            .because("a thread of a request would hand on its tenant and its class loader; DaemonThreads does not");

    static final ArchRule TIME_IS_INJECTED = noClasses()
            .should()
            .callMethodWhere(target(owner(assignableTo(Instant.class))).and(target(nameMatching("now"))))
            .orShould()
            .callMethodWhere(target(owner(assignableTo(Clock.class))).and(target(nameMatching("system.*|tick.*"))))
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .because("every end of validity is tested at its two sides, with an InstantSource that stands still");

    static final ArchRule RANDOM_IS_SECURE = noClasses()
            .should()
            .callConstructor(Random.class)
            .orShould()
            .callConstructor(Random.class, long.class)
            .orShould()
            .callMethod(Math.class, "random")
            .because("nobody should have to ask which of the random numbers matter");

    static final ArchRule TEXT_NAMES_ITS_LOCALE = noClasses()
            .should()
            .callMethod(String.class, "formatted", Object[].class)
            .orShould()
            .callMethod(String.class, "format", String.class, Object[].class)
            .because("the default locale may have other digits, which no JSON may have");

    static final ArchRule HTTP_FIELDS_ARE_NO_MAP = noClasses()
            .should()
            .callMethodWhere(target(owner(assignableTo(HttpHeaders.class)))
                    .and(DescribedPredicate.describe(
                            "a method of a map",
                            call -> Set.of("keySet", "entrySet", "values").contains(call.getName())
                                    || call.getTarget().getRawParameterTypes().stream()
                                            .anyMatch(type -> type.isEquivalentTo(Object.class)
                                                    || type.isAssignableTo(Map.class)))))
            .because("Spring 7's HttpHeaders is no Map, and such a call is a NoSuchMethodError there");

    static final ArchRule BASE64_IS_NOT_DECODED_BY_THE_JDK = noClasses()
            .should()
            .dependOnClassesThat()
            .areAssignableTo(Base64.Decoder.class)
            .because("its vectorised decoder has written out of bounds (JDK-8392044); ours checks the alphabet first");

    static final ArchRule BYTES_ARE_COMPARED_IN_CONSTANT_TIME = noClasses()
            .should()
            .callMethod(Arrays.class, "equals", byte[].class, byte[].class)
            .orShould()
            .callMethod(Arrays.class, "equals", char[].class, char[].class)
            .because("a comparison that stops early tells how much was right; MessageDigest.isEqual does not");

    static final ArchRule NO_LOCK_SPANS_A_METHOD = noMethods()
            .that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(Arrows.CACHE, Arrows.GUARD, Arrows.THROTTLE)
            .should(haveModifier(JavaModifier.SYNCHRONIZED))
            .because(
                    "these stand in every request's way, and before JDK 24 a monitor pins a virtual thread to its carrier");

    private Manners() {}

    private static ArchCondition<JavaClass> haveSimpleNameLike(String pattern) {
        return new ArchCondition<>("have a simple name like " + pattern) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean matches = type.getSimpleName().matches(pattern);
                events.add(new SimpleConditionEvent(type, matches, type.getName()));
            }
        };
    }

    /** Fields in front of the fields of subclasses in the same package, and nothing overridable. */
    private static boolean isLayout(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.ABSTRACT)
                && !type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getMethods().isEmpty();
    }

    /** An interface to extend, with the common code of most implementations and no mutable state. */
    private static boolean isForOthers(JavaClass type) {
        return type.getModifiers().containsAll(Set.of(JavaModifier.ABSTRACT, JavaModifier.PUBLIC))
                && !type.getRawInterfaces().isEmpty()
                && type.getFields().stream()
                        .allMatch(field -> field.getModifiers().contains(JavaModifier.PRIVATE));
    }

    private static ArchCondition<JavaClass> beFinalOrSealed() {
        return new ArchCondition<>("be final or sealed") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean closed = type.getModifiers().contains(JavaModifier.FINAL)
                        || type.reflect().isSealed()
                        || isLayout(type)
                        || isForOthers(type);
                events.add(new SimpleConditionEvent(type, closed, type.getName() + " is open"));
            }
        };
    }
}
