package dev.latchkey.auth.spring.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * The keys under {@code latchkey.*} that the modules on the class path know, from the metadata that Boot's annotation processor writes into each jar. No
 * list of them is kept by hand. Immutable.
 */
final class KnownKeys {

    static final String METADATA = "META-INF/spring-configuration-metadata.json";

    private static final String ROOT = "latchkey.";

    /** A jar that was merged of others keeps the metadata of one of them only. */
    private static final String OF_THE_STARTER = "latchkey.enabled";

    /**
     * A group or a property, as Boot's annotation processor writes it. No parser of JSON is there in each service, and Boot's own small one reads this
     * file wrongly.
     */
    private static final Pattern ENTRY = Pattern.compile("\\{\\s*\"name\": \"([^\"]+)\",\\s*\"type\": \"([^\"]+)\"");

    private static final String PLUGINS = "latchkey.plugin.";

    private enum Shape {
        VALUE,
        COLLECTION,
        MAP
    }

    /** @param members the names below each entry of a map; null where everything is allowed there */
    private record Key(String name, Shape shape, @Nullable Set<String> members) {}

    /**
     * A class of properties.
     *
     * @param name the prefix of its keys
     * @param type the name of the class
     */
    record Root(String name, String type) {

        /** The name that Boot gives the bean of the class. */
        String beanName() {
            return name + "-" + type;
        }
    }

    private final Map<String, Key> keys = new TreeMap<>();
    private final List<Root> roots = new ArrayList<>();

    private KnownKeys() {}

    static KnownKeys of(ClassLoader loader) {
        KnownKeys known = new KnownKeys();
        try {
            for (URL url : Collections.list(loader.getResources(METADATA))) {
                try (InputStream in = url.openStream()) {
                    known.add(new String(in.readAllBytes(), StandardCharsets.UTF_8), loader);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(METADATA, e);
        }
        // The longest first: it is the one that a key belongs to.
        known.roots.sort(
                Comparator.comparingInt((Root root) -> root.name().length()).reversed());
        return known;
    }

    /** Most jars have keys of others alone, and long metadata: parsing those would cost a start some tenths of a second. */
    private void add(String metadata, ClassLoader loader) {
        if (!metadata.contains("\"" + ROOT)) {
            return;
        }
        int properties = metadata.indexOf("\"properties\": [");
        Matcher entry = ENTRY.matcher(metadata);
        while (entry.find()) {
            String name = entry.group(1);
            String type = entry.group(2);
            if (!name.startsWith(ROOT)) {
                continue;
            }
            if (entry.start() > properties) {
                keys.put(canonical(name), keyOf(name, type, loader));
            } else if (metadata.startsWith(",\n      \"sourceType\": \"" + type + "\"\n    }", entry.end())) {
                roots.add(new Root(name, type));
            }
        }
    }

    private static Key keyOf(String name, String type, ClassLoader loader) {
        if (type.startsWith("java.util.Map<")) {
            String value = type.substring(type.indexOf(',') + 1, type.length() - 1);
            return new Key(name, Shape.MAP, membersOf(value, loader));
        }
        return new Key(name, type.matches("java\\.util\\.(List|Set)<.*") ? Shape.COLLECTION : Shape.VALUE, null);
    }

    private static @Nullable Set<String> membersOf(String type, ClassLoader loader) {
        if (type.startsWith("java.") || !ClassUtils.isPresent(type, loader)) {
            return null;
        }
        RecordComponent[] components = ClassUtils.resolveClassName(type, loader).getRecordComponents();
        return components == null
                ? null
                : Arrays.stream(components)
                        .map(component -> canonical(component.getName()))
                        .collect(Collectors.toUnmodifiableSet());
    }

    List<Root> roots() {
        return Collections.unmodifiableList(roots);
    }

    /** Whether there is no telling what is unknown. */
    boolean areIncomplete() {
        return !keys.containsKey(OF_THE_STARTER);
    }

    /** Whether a property source may have this key. What is set for one plugin, and no class of properties reads, is left to the plugin. */
    boolean has(String name) {
        String wanted = canonical(name);
        Optional<Root> root = rootOf(name);
        if (wanted.startsWith(PLUGINS)
                && root.isPresent()
                && wanted.endsWith(canonical("." + LatchkeyProperties.MAX_CONCURRENT))) {
            return true;
        }
        return keys.entrySet().stream()
                .filter(known -> root.isEmpty()
                        || known.getKey().startsWith(canonical(root.get().name()) + "."))
                .anyMatch(known -> covers(known.getKey(), known.getValue(), wanted));
    }

    private static boolean covers(String known, Key key, String wanted) {
        if (wanted.equals(known)) {
            return true;
        }
        if (key.shape() == Shape.VALUE || !wanted.startsWith(known + ".")) {
            return false;
        }
        String[] below = wanted.substring(known.length() + 1).split("\\.", -1);
        return key.members() == null || below.length < 2 || key.members().contains(below[1]);
    }

    /** The same for the name of an environment variable, which tells neither dots from underscores nor where a hyphen was. */
    boolean hasVariable(String name) {
        String wanted = squashed(name);
        return keys.entrySet().stream().anyMatch(known -> {
            String key = squashed(known.getKey());
            return switch (known.getValue().shape()) {
                case VALUE -> wanted.equals(key);
                case COLLECTION ->
                    wanted.startsWith(key) && wanted.substring(key.length()).matches("[0-9]*");
                case MAP -> wanted.startsWith(key);
            };
        });
    }

    /** The class of properties that a key belongs to; empty for those of the starter's own, which are always there. */
    Optional<Root> rootOf(String name) {
        String wanted = canonical(name);
        return roots.stream()
                .filter(root -> wanted.startsWith(canonical(root.name()) + "."))
                .findFirst();
    }

    /** The known key that differs in the fewest letters. */
    String nearestTo(String name) {
        String wanted = squashed(name);
        return keys.values().stream()
                .map(Key::name)
                .min(Comparator.comparingInt(key -> EditDistance.between(wanted, squashed(key))))
                .orElse(OF_THE_STARTER);
    }

    /** In one spelling, as Boot compares names: without letter case, hyphens and what stands in brackets. */
    static String canonical(String name) {
        return name.replaceAll("\\[[^\\]]*\\]", "").toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]", "");
    }

    static String squashed(String name) {
        return canonical(name).replace(".", "");
    }
}
