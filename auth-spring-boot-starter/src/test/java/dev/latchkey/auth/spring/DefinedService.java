package dev.latchkey.auth.spring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.reactive.context.AnnotationConfigReactiveWebApplicationContext;
import org.springframework.boot.web.servlet.context.AnnotationConfigServletWebApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.UserDetailsService;

/**
 * A service with every auto-configuration of the starter, as far as its beans are defined and no further: all conditions have been
 * decided by then, and nothing has been made.
 */
record DefinedService(Kind kind, List<String> properties, List<String> hidden, Map<String, Class<?>> own) {

    /** What all parts of the starter ask for, but for accounts. */
    private static final List<String> EVERYTHING = List.of(
            "latchkey.jwt.secret=" + Services.KEY,
            "latchkey.login.enabled=true",
            "latchkey.login.refresh.enabled=true",
            "latchkey.login.logins.enabled=true",
            "management.endpoints.web.exposure.include=*");

    /** Sorted once for all services, for which Boot reads each of them. */
    private static final AutoConfigurations ALL =
            AutoConfigurations.of(autoConfigurations().toArray(Class[]::new));

    enum Kind {
        PLAIN,
        SERVLET,
        REACTIVE
    }

    static DefinedService of(Kind kind) {
        Class<?> users = kind == Kind.REACTIVE ? ReactiveUserDetailsService.class : UserDetailsService.class;
        return new DefinedService(kind, EVERYTHING, List.of(), Map.of("accounts", users));
    }

    DefinedService with(String property) {
        List<String> more = new ArrayList<>(properties);
        more.add(property);
        return new DefinedService(kind, more, hidden, own);
    }

    DefinedService without(String property) {
        return new DefinedService(
                kind,
                properties.stream().filter(each -> !each.startsWith(property)).toList(),
                hidden,
                own);
    }

    /** @param name of a class, or of a package with all below it */
    DefinedService hiding(String name) {
        List<String> more = new ArrayList<>(hidden);
        more.add(name);
        return new DefinedService(kind, properties, more, own);
    }

    DefinedService having(String name, Class<?> type) {
        Map<String, Class<?>> more = new LinkedHashMap<>(own);
        more.put(name, type);
        return new DefinedService(kind, properties, hidden, more);
    }

    /** The outcome of a condition, with the deciding class and the reason. */
    record Outcome(String source, String condition, boolean met, String message) {}

    /** The names of the beans that the starter defines, and how each condition came out. */
    record Defined(Set<String> beans, List<Outcome> outcomes) {}

    Defined define() {
        return switch (kind) {
            case PLAIN -> define(new ApplicationContextRunner(Plain::new));
            case SERVLET -> define(new WebApplicationContextRunner(Servlet::new));
            case REACTIVE -> define(new ReactiveWebApplicationContextRunner(Reactive::new));
        };
    }

    private <
                    S extends AbstractApplicationContextRunner<S, C, A>,
                    C extends ConfigurableApplicationContext,
                    A extends ApplicationContextAssertProvider<C>>
            Defined define(S runner) {
        S service = runner.withPropertyValues(properties.toArray(String[]::new))
                .withClassLoader(hidden.isEmpty() ? null : new FilteredClassLoader(this::isHidden))
                .withInitializer(new ClassFilesReadOnce())
                .withConfiguration(ALL);
        for (Map.Entry<String, Class<?>> bean : own.entrySet()) {
            service = service.withBean(bean.getKey(), bean.getValue());
        }
        AtomicReference<Defined> defined = new AtomicReference<>();
        service.run(context -> {
            ConfigurableListableBeanFactory beans =
                    context.getSourceApplicationContext().getBeanFactory();
            defined.set(new Defined(ofTheStarter(beans), outcomes(ConditionEvaluationReport.get(beans))));
        });
        return defined.get();
    }

    private boolean isHidden(String name) {
        return hidden.stream().anyMatch(each -> name.equals(each) || name.startsWith(each + "."));
    }

    private static List<Outcome> outcomes(ConditionEvaluationReport report) {
        List<Outcome> outcomes = new ArrayList<>();
        report.getConditionAndOutcomesBySource()
                .forEach((source, all) -> all.forEach(each -> outcomes.add(new Outcome(
                        source,
                        each.getCondition().getClass().getName(),
                        each.getOutcome().isMatch(),
                        String.valueOf(each.getOutcome().getMessage())))));
        return outcomes;
    }

    static List<Class<?>> autoConfigurations() {
        ClassLoader loader = DefinedService.class.getClassLoader();
        List<Class<?>> classes = new ArrayList<>();
        for (String name : ImportCandidates.load(AutoConfiguration.class, loader)) {
            if (name.startsWith("dev.latchkey.")) {
                try {
                    classes.add(Class.forName(name, false, loader));
                } catch (ClassNotFoundException e) {
                    throw new AssertionError(name + " is listed and not there", e);
                }
            }
        }
        return classes;
    }

    private static Set<String> ofTheStarter(ConfigurableListableBeanFactory beans) {
        Set<String> names = new TreeSet<>();
        for (String name : beans.getBeanDefinitionNames()) {
            if (name.matches("latchkey\\w+")
                    && beans.getBeanDefinition(name) instanceof AnnotatedBeanDefinition annotated
                    && annotated.getMetadata().getClassName().startsWith("dev.latchkey.")) {
                names.add(name);
            }
        }
        return names;
    }

    private static final class Plain extends AnnotationConfigApplicationContext {

        @Override
        protected void registerBeanPostProcessors(ConfigurableListableBeanFactory beans) {}

        @Override
        protected void finishBeanFactoryInitialization(ConfigurableListableBeanFactory beans) {}

        @Override
        protected void finishRefresh() {}
    }

    private static final class Servlet extends AnnotationConfigServletWebApplicationContext {

        @Override
        protected void registerBeanPostProcessors(ConfigurableListableBeanFactory beans) {}

        @Override
        protected void finishBeanFactoryInitialization(ConfigurableListableBeanFactory beans) {}

        @Override
        protected void finishRefresh() {}
    }

    private static final class Reactive extends AnnotationConfigReactiveWebApplicationContext {

        @Override
        protected void registerBeanPostProcessors(ConfigurableListableBeanFactory beans) {}

        @Override
        protected void finishBeanFactoryInitialization(ConfigurableListableBeanFactory beans) {}

        @Override
        protected void finishRefresh() {}
    }
}
