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
 * What each condition of each auto-configuration keeps away, and that none is without a service that does not meet it.
 *
 * <p>{@code conditions.txt} has a row for each: what is different about a service that has everything, which beans of the starter go,
 * and which come. {@link #eachCondition_isMetInOneRowAndNotInAnother} reads the conditions from the classes themselves.
 */
class ConditionsTest {

    /** The attributes of those that may name several subjects, all of which have to be there. */
    private static final Map<Class<?>, List<String>> SUBJECTS = Map.of(
            ConditionalOnProperty.class, List.of("value", "name"),
            ConditionalOnClass.class, List.of("value", "name"),
            ConditionalOnBean.class, List.of("value"));

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
     * A condition as it is written.
     *
     * @param source the class, or the class and the method, that it is written on
     * @param annotation its name
     * @param condition the class that decides it
     * @param subject the one property, class or bean that it is about, where it names any
     */
    private record Stated(String source, String annotation, String condition, String subject) {

        boolean isOf(Outcome outcome) {
            return outcome.condition().equals(condition);
        }

        /**
         * One class of Boot's decides three annotations about beans, and says which one it was. What it says in brackets is how the
         * annotation is written, with all of its subjects; what comes behind is which of them was the reason.
         */
        boolean isBecauseOf(Outcome outcome) {
            String message = outcome.message();
            boolean saysWhich = message.startsWith("@ConditionalOn");
            return isOf(outcome)
                    && (!saysWhich || message.startsWith("@" + annotation + " "))
                    && message.substring(message.lastIndexOf(')') + 1).contains(subject);
        }
    }

    /** But for those of Boot 4, whose class these tests do not have: {@code OperationsIT} finds that part's bean on each line. */
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

    /** Each that it names by itself; where it names several, each of them has to be what is missing once. */
    private static List<String> subjectsOf(MergedAnnotation<?> condition) {
        List<String> attributes = SUBJECTS.getOrDefault(condition.getType(), List.of());
        List<String> subjects = attributes.stream()
                .flatMap(attribute -> Arrays.stream(condition.getStringArray(attribute)))
                .toList();
        return subjects.isEmpty() ? List.of("") : subjects;
    }
}
