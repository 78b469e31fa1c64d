package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.DefinedService.Outcome;
import dev.latchkey.auth.spring.operations.LatchkeyOperationsAutoConfiguration;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * The effect of each condition of each auto-configuration. Each condition needs a service that does not meet the condition.
 *
 * <p>{@code conditions.txt} has a row for each: the differences from the full service, and the beans of the starter that go and
 * come. {@link #eachCondition_isMetInOneRowAndNotInAnother} reads the conditions from the classes.
 */
@Tag("long")
class ConditionsTest {

    /** Attributes with possibly several subjects; all subjects must be present. */
    private static final Map<Class<?>, List<String>> SUBJECTS = Map.of(
            ConditionalOnProperty.class, List.of("value", "name"),
            ConditionalOnClass.class, List.of("value", "name"),
            ConditionalOnBean.class, List.of("value", "name"));

    static Stream<ConditionRow> rows() {
        return ConditionRow.all().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void service_losesAndGainsWhatItsRowSays(ConditionRow row) {
        Set<String> everything = ConditionRow.everything(row.kind()).beans();
        Set<String> gone = new TreeSet<>(everything);
        gone.removeAll(row.defined().beans());
        Set<String> come = new TreeSet<>(row.defined().beans());
        come.removeAll(everything);
        assertThat(gone).containsExactlyInAnyOrderElementsOf(row.losesAll() ? everything : row.gone());
        assertThat(come).containsExactlyInAnyOrderElementsOf(row.come());
    }

    @Test
    void eachCondition_isMetInOneRowAndNotInAnother() {
        Map<String, List<Outcome>> met = new TreeMap<>();
        Map<String, List<Outcome>> unmet = new TreeMap<>();
        for (ConditionRow row : ConditionRow.all()) {
            row.defined()
                    .outcomes()
                    .forEach(each -> (each.met() ? met : unmet)
                            .computeIfAbsent(each.source(), source -> new ArrayList<>())
                            .add(each));
        }
        List<String> neverMet = new ArrayList<>();
        List<String> alwaysMet = new ArrayList<>();
        for (Stated condition : stated()) {
            if (met.getOrDefault(condition.source(), List.of()).stream().noneMatch(condition::isOf)) {
                neverMet.add(condition.toString());
            }
            if (unmet.getOrDefault(condition.source(), List.of()).stream().noneMatch(condition::isBecauseOf)) {
                alwaysMet.add(condition.toString());
            }
        }
        assertThat(neverMet).as("met in no row").isEmpty();
        assertThat(alwaysMet).as("met in all rows").isEmpty();
    }

    /**
     * A condition in the source.
     *
     * @param source the class, or the class and the method, with the condition
     * @param annotation the name of the annotation
     * @param condition the deciding class
     * @param subject the property, class or bean of the condition, if any
     */
    private record Stated(String source, String annotation, String condition, String subject) {

        boolean isOf(Outcome outcome) {
            return outcome.condition().equals(condition);
        }

        /**
         * One class of Boot decides three annotations about beans, and names the annotation. The text in brackets is the
         * annotation with all subjects; the rest names the reason.
         */
        boolean isBecauseOf(Outcome outcome) {
            String message = outcome.message();
            boolean saysWhich = message.startsWith("@ConditionalOn");
            return isOf(outcome)
                    && (!saysWhich || message.startsWith("@" + annotation + " "))
                    && message.substring(message.lastIndexOf(')') + 1).contains(subject);
        }
    }

    /** Without conditions of Boot 4, whose class is missing here: {@code OperationsIT} finds the bean on each line. */
    private static List<Stated> stated() {
        List<Stated> all = new ArrayList<>();
        for (Class<?> configuration : DefinedService.autoConfigurations()) {
            if (configuration != LatchkeyOperationsAutoConfiguration.class) {
                addAll(configuration, all);
            }
        }
        assertThat(all).hasSizeGreaterThan(100);
        return all;
    }

    private static void addAll(Class<?> configuration, List<Stated> all) {
        add(configuration, configuration.getName(), all);
        for (Method method : configuration.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Bean.class)) {
                add(method, configuration.getName() + "#" + method.getName(), all);
            }
        }
        for (Class<?> nested : configuration.getDeclaredClasses()) {
            if (nested.isAnnotationPresent(Configuration.class)) {
                addAll(nested, all);
            }
        }
    }

    private static void add(AnnotatedElement element, String source, List<Stated> all) {
        MergedAnnotations.from(element).stream(Conditional.class).forEach(conditional -> {
            MergedAnnotation<?> written = conditional.getRoot();
            String annotation = written.getType().getSimpleName();
            for (String condition : conditional.getStringArray("value")) {
                for (String subject : subjectsOf(written)) {
                    all.add(new Stated(source, annotation, condition, subject));
                }
            }
        });
    }

    /** Each subject named alone. Of several subjects, each must be missing once. */
    private static List<String> subjectsOf(MergedAnnotation<?> condition) {
        List<String> attributes = SUBJECTS.getOrDefault(condition.getType(), List.of());
        List<String> subjects = attributes.stream()
                .flatMap(attribute -> Arrays.stream(condition.getStringArray(attribute)))
                .toList();
        return subjects.isEmpty() ? List.of("") : subjects;
    }
}
