package dev.latchkey.auth.spring.settings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Ends the start if a key under {@code latchkey.*} is unknown. Otherwise a typing error would silently leave a default in force.
 * Ends the start too if a switch is neither true nor false. Boot's conditions compare the text, and properties classes convert
 * the text: with {@code off}, a condition would leave a part on, and the properties of the part would say that it is off.
 *
 * <p>Checks all property sources with a list of names. An environment variable ends the start only if the name is close to a
 * known key: Kubernetes sets variables such as {@code LATCHKEY_SERVICE_HOST} for a service with this name. Other variables are
 * logged as a warning, and so are keys of a properties class that no auto-configuration has registered. Runs before any other
 * bean is created, so the typing error is reported instead of its consequences.
 */
final class UnknownKeys {

    private static final Logger LOG = LoggerFactory.getLogger(UnknownKeys.class);

    private static final String PREFIX = "latchkey.";

    private static final String VARIABLES = "LATCHKEY_";

    /** Boot's name of a properties bean: prefix, hyphen, class. */
    private static final Pattern PROPERTIES_BEAN = Pattern.compile("(latchkey\\.[a-z0-9.-]+)-[\\w.$]+");

    private final ConfigurableEnvironment environment;

    UnknownKeys(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    /** @throws LatchkeyConfigurationException if a key is unknown, or a switch is neither true nor false */
    void check(ConfigurableListableBeanFactory beans) {
        // The list of known names is read only if there is a name to look up.
        if (names().noneMatch(name -> KnownKeys.canonical(name).startsWith(PREFIX)
                || name.toUpperCase(Locale.ROOT).startsWith(VARIABLES))) {
            return;
        }
        ClassLoader loader = beans.getBeanClassLoader();
        KnownKeys known = KnownKeys.of(loader == null ? UnknownKeys.class.getClassLoader() : loader);
        requireTrueOrFalse(known);
        if (known.areIncomplete()) {
            LOG.info("Keys under latchkey.* are not checked, since {} of the starter is not there", KnownKeys.METADATA);
            return;
        }
        Set<String> ofOthers = prefixesOfOthers(beans, known);
        Map<String, String> unknown = new TreeMap<>();
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> names) {
                for (String name : names.getPropertyNames()) {
                    if (names instanceof SystemEnvironmentPropertySource) {
                        lookAtVariable(name, known, ofOthers, unknown);
                    } else {
                        lookAt(name, known, ofOthers, beans, unknown);
                    }
                }
            }
        }
        if (!unknown.isEmpty()) {
            throw unknown(unknown, known);
        }
    }

    private void requireTrueOrFalse(KnownKeys known) {
        Binder binder = Binder.get(environment);
        List<String> wrong = new ArrayList<>();
        known.switches()
                .forEach(key -> binder.bind(key, String.class).ifBound(value -> {
                    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
                        wrong.add(key + " is '" + value + "', and must be true or false");
                    }
                }));
        if (!wrong.isEmpty()) {
            throw new LatchkeyConfigurationException(
                    String.join(System.lineSeparator(), wrong), "Write true or false, without a space.");
        }
    }

    private Stream<String> names() {
        return environment.getPropertySources().stream()
                .filter(EnumerablePropertySource.class::isInstance)
                .flatMap(source -> Arrays.stream(((EnumerablePropertySource<?>) source).getPropertyNames()));
    }

    private void lookAt(
            String name,
            KnownKeys known,
            Set<String> ofOthers,
            ConfigurableListableBeanFactory beans,
            Map<String, String> unknown) {
        String canonical = KnownKeys.canonical(name);
        if (!canonical.startsWith(PREFIX)
                || ofOthers.stream().anyMatch(other -> canonical.startsWith(KnownKeys.canonical(other) + "."))) {
            return;
        }
        if (!known.has(name)) {
            unknown.put(name, known.isSection(name) ? "" : known.nearestTo(name).orElse(""));
            return;
        }
        known.rootOf(name)
                .filter(root -> !beans.containsBeanDefinition(root.beanName()) && !isSwitchedOff(root.name()))
                .filter(root -> known.sourcesOf(name).stream().noneMatch(type -> isRegistered(type, beans)))
                .ifPresent(root -> LOG.warn(
                        "{} is set, and nothing reads {}.*: the module, the bean or the store that it is for is not there",
                        name,
                        root.name()));
    }

    /** Whether a properties class is there, with any prefix. */
    private static boolean isRegistered(String type, ConfigurableListableBeanFactory beans) {
        return Arrays.stream(beans.getBeanDefinitionNames()).anyMatch(bean -> bean.endsWith("-" + type));
    }

    /** The switch of a part is read before its other settings. */
    private boolean isSwitchedOff(String root) {
        return "false".equalsIgnoreCase(environment.getProperty(root + ".enabled"));
    }

    private static void lookAtVariable(
            String name, KnownKeys known, Set<String> ofOthers, Map<String, String> unknown) {
        if (!name.toUpperCase(Locale.ROOT).startsWith(VARIABLES)
                || known.hasVariable(name)
                || ofOthers.stream()
                        .anyMatch(other -> KnownKeys.squashed(name).startsWith(KnownKeys.squashed(other)))) {
            return;
        }
        String nearest = known.nearestTo(name).orElse("");
        if (EditDistance.between(KnownKeys.squashed(name), KnownKeys.squashed(nearest)) <= 2) {
            unknown.put(name, nearest);
        } else {
            LOG.warn("The environment variable {} names no property of Latchkey, and is not read", name);
        }
    }

    /** The prefixes of properties classes of the service and of other libraries, with or without metadata. */
    private static Set<String> prefixesOfOthers(ConfigurableListableBeanFactory beans, KnownKeys known) {
        Set<String> prefixes = new TreeSet<>();
        for (String bean : beans.getBeanDefinitionNames()) {
            Matcher named = PROPERTIES_BEAN.matcher(bean);
            if (named.matches()
                    && known.roots().stream().noneMatch(root -> root.beanName().equals(bean))) {
                prefixes.add(named.group(1));
            }
        }
        return prefixes;
    }

    private static LatchkeyConfigurationException unknown(Map<String, String> nearest, KnownKeys known) {
        List<String> lines = new ArrayList<>();
        nearest.forEach((name, near) -> lines.add(name + " is set, and " + reason(name, near, known)));
        String right = nearest.values().stream()
                .filter(near -> !near.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
        String yaml = right.matches(".*\\[\\D.*")
                ? " In YAML a name with a dot has brackets and quotes, as in \"[a.b]\"."
                : "";
        return new LatchkeyConfigurationException(
                String.join(System.lineSeparator(), lines),
                (right.isEmpty() ? "Take the key out." : "Write " + right + ", or take the key out.")
                        + " A module's keys are known where the module is on the class path." + yaml);
    }

    private static String reason(String name, String near, KnownKeys known) {
        if (known.isSection(name)) {
            return "is a section of properties: in YAML, a section needs a line below";
        }
        return "Latchkey has no such property" + (near.isEmpty() ? " on the class path" : "; the nearest is " + near);
    }
}
