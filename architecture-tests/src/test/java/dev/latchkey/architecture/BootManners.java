package dev.latchkey.architecture;

import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What Spring Boot's own architecture tests ask of an auto-configuration. */
final class BootManners {

    private static final String AUTO_CONFIGURATION = "org.springframework.boot.autoconfigure.AutoConfiguration";
    private static final String BEAN = "org.springframework.context.annotation.Bean";
    private static final String CONFIGURATION = "org.springframework.context.annotation.Configuration";
    private static final String POST_PROCESSOR = "org.springframework.beans.factory.config.BeanPostProcessor";
    private static final String BACKS_OFF = "org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean";
    private static final String CONVERTER =
            "org.springframework.boot.context.properties.ConfigurationPropertiesBinding";

    /**
     * The types that a post-processor may ask for. Every other named bean is created too early, and passes no post-processor.
     */
    private static final Set<String> LATE = Set.of(
            "org.springframework.beans.factory.ObjectProvider",
            "org.springframework.beans.factory.config.ConfigurableListableBeanFactory",
            "org.springframework.beans.factory.ListableBeanFactory",
            "org.springframework.beans.factory.BeanFactory");

    private static final Pattern OLDER_LINE =
            Pattern.compile("^org\\.springframework\\.boot\\.(actuate\\.)?autoconfigure\\.");

    private static final DescribedPredicate<JavaMethod> POST_PROCESSORS = DescribedPredicate.describe(
            "post-processors", method -> method.getRawReturnType().isAssignableTo(POST_PROCESSOR));

    static final ArchRule AUTO_CONFIGURATIONS_ARE_PUBLIC_AND_FINAL = classes()
            .that()
            .areAnnotatedWith(AUTO_CONFIGURATION)
            .should()
            .bePublic()
            .andShould()
            .haveModifier(JavaModifier.FINAL)
            .andShould()
            .haveSimpleNameEndingWith("AutoConfiguration")
            .because("they are named in before and after, and nobody is meant to extend them");

    static final ArchRule CONFIGURATIONS_ARE_NOT_PROXIED = classes()
            .that()
            .areAnnotatedWith(CONFIGURATION)
            .should(new ArchCondition<JavaClass>("say proxyBeanMethods = false") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    JavaAnnotation<?> configuration = type.getAnnotationOfType(CONFIGURATION);
                    boolean plain = configuration
                            .get("proxyBeanMethods")
                            .filter(Boolean.FALSE::equals)
                            .isPresent();
                    events.add(new SimpleConditionEvent(type, plain, type.getName() + " is proxied"));
                }
            })
            .because("a proxy costs start-up time, and a native image cannot make one");

    static final ArchRule BEAN_METHODS_ARE_PACKAGE_PRIVATE =
            methods().that().areAnnotatedWith(BEAN).should().bePackagePrivate().because("they are Spring's to call");

    static final ArchRule BEANS_BACK_OFF = methods()
            .that()
            .areAnnotatedWith(BEAN)
            .and(DescribedPredicate.not(are(POST_PROCESSORS)))
            .and(DescribedPredicate.describe(
                    "return a type that a service can define",
                    (JavaMethod method) ->
                            method.getRawReturnType().getModifiers().contains(JavaModifier.PUBLIC)))
            .and()
            .areNotAnnotatedWith(CONVERTER)
            .should()
            .beAnnotatedWith(BACKS_OFF)
            .because("what the service defines itself wins");

    static final ArchRule POST_PROCESSORS_ARE_STATIC = methods()
            .that()
            .areAnnotatedWith(BEAN)
            .and(are(POST_PROCESSORS))
            .should()
            .beStatic()
            .because("otherwise their configuration is made too early");

    static final ArchRule POST_PROCESSORS_ASK_LATE = methods()
            .that()
            .areAnnotatedWith(BEAN)
            .and(are(POST_PROCESSORS))
            .should(new ArchCondition<JavaMethod>("only ask for what makes no bean before its time") {
                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                    method.getRawParameterTypes().stream()
                            .map(JavaClass::getName)
                            .forEach(name -> events.add(new SimpleConditionEvent(
                                    method, LATE.contains(name), method.getFullName() + " needs " + name)));
                }
            })
            .because("a bean that a post-processor needs passes no other post-processor");

    static final ArchRule NOTHING_HAPPENS_AFTER_CONSTRUCTION = noMethods()
            .should()
            .beAnnotatedWith("jakarta.annotation.PostConstruct")
            .orShould()
            .beAnnotatedWith("jakarta.annotation.PreDestroy")
            .because("an object is ready when its constructor returns, and closed by the bean's destroyMethod");

    static final ArchRule BOOT_IS_ORDERED_BY_NAME = classes()
            .that()
            .areAnnotatedWith(AUTO_CONFIGURATION)
            .should(new ArchCondition<JavaClass>("name Boot's auto-configurations as text, as each line calls them") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    JavaAnnotation<?> auto = type.getAnnotationOfType(AUTO_CONFIGURATION);
                    for (String attribute : Set.of("before", "after")) {
                        named(auto, attribute)
                                .map(named -> ((JavaClass) named).getName())
                                .filter(name -> name.startsWith("org.springframework."))
                                .forEach(name -> events.add(
                                        SimpleConditionEvent.violated(type, type.getName() + " names " + name)));
                        long names = named(auto, attribute + "Name")
                                .filter(name -> ((String) name).startsWith("org.springframework."))
                                .count();
                        long older = named(auto, attribute + "Name")
                                .filter(name ->
                                        OLDER_LINE.matcher((String) name).find())
                                .count();
                        events.add(new SimpleConditionEvent(
                                type,
                                names == 0 || (older > 0 && older < names),
                                type.getName() + " names one line of Boot and not the other"));
                    }
                }
            })
            .because("they moved from Boot 3 to 4: a class that is not there orders nothing, and says nothing");

    private BootManners() {}

    private static Stream<Object> named(JavaAnnotation<?> annotation, String attribute) {
        return annotation.get(attribute).stream().flatMap(values -> Arrays.stream((Object[]) values));
    }
}
