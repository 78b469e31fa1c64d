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
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * The keys under {@code latchkey.*} of the modules on the class path, read from the metadata of Boot's annotation processor in
 * each jar. Immutable.
 */
final class KnownKeys {

    static final String METADATA = "META-INF/spring-configuration-metadata.json";

    private static final String ROOT = "latchkey.";

    /** A key of the starter. A shaded jar keeps the metadata of a single jar, so this key may be missing. */
    private static final String OF_THE_STARTER = "latchkey.enabled";

    /**
     * A group or a property, as Boot's annotation processor writes both. A service may have no JSON parser, and Boot's own small
     * parser fails on this file.
     */
    private static final Pattern ENTRY = Pattern.compile("\\{\\s*\"name\": \"([^\"]+)\",\\s*\"type\": \"([^\"]+)\"");

    /** The class with the key. A nested class counts as the class around. */
    private static final Pattern SOURCE = Pattern.compile("\"sourceType\": \"([^\"$]+)");

    private static final String PLUGINS = "latchkey.plugin.";

    private enum Shape {
        VALUE,
        SWITCH,
        COLLECTION,
        MAP
    }

    /**
     * @param members the names below each entry of a map or a list; null if all names are allowed
     */
    private record Key(String name, Shape shape, @Nullable Set<String> members) {}

    /**
     * A properties class.
     *
     * @param name the prefix of the keys
     * @param type the class name
     */
    record Root(String name, String type) {

        /** The bean name that Boot gives the class. */
        String beanName() {
            return name + "-" + type;
        }
    }

    private final Map<String, Key> keys = new TreeMap<>();
    private final Map<String, Set<String>> sources = new TreeMap<>();
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
        // The longest first, because a key belongs to the longest matching prefix.
        known.roots.sort(
                Comparator.comparingInt((Root root) -> root.name().length()).reversed());
        return known;
    }

    /** Most jars have only foreign keys and long metadata. Parsing all of them would slow the start by some tenths of a second. */
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
                sources.computeIfAbsent(canonical(name), key -> new TreeSet<>()).add(sourceOf(metadata, entry.end()));
            } else if (metadata.startsWith(",\n      \"sourceType\": \"" + type + "\"\n    }", entry.end())) {
                roots.add(new Root(name, type));
            }
        }
    }

    private static String sourceOf(String metadata, int from) {
        int next = metadata.indexOf("\"name\":", from);
        Matcher source = SOURCE.matcher(metadata).region(from, next < 0 ? metadata.length() : next);
        return source.find() ? source.group(1) : "";
    }

    private static Key keyOf(String name, String type, ClassLoader loader) {
        if (type.startsWith("java.util.Map<")) {
            String value = type.substring(type.indexOf(',') + 1, type.length() - 1);
            return new Key(name, Shape.MAP, membersOf(value, loader));
        }
        if (type.matches("java\\.util\\.(List|Set)<.*")) {
            String value = type.substring(type.indexOf('<') + 1, type.length() - 1);
            return new Key(name, Shape.COLLECTION, membersOf(value, loader));
        }
        return new Key(name, type.equals("java.lang.Boolean") ? Shape.SWITCH : Shape.VALUE, null);
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

    /** The keys with the value true or false. */
    Stream<String> switches() {
        return keys.values().stream().filter(key -> key.shape() == Shape.SWITCH).map(Key::name);
    }

    /** Whether a known key is below this name. */
    boolean isSection(String name) {
        String wanted = canonical(name) + ".";
        return keys.keySet().stream().anyMatch(known -> known.startsWith(wanted));
    }

    /** Whether unknown keys cannot be detected. */
    boolean areIncomplete() {
        return !keys.containsKey(OF_THE_STARTER);
    }

    /** Whether a property source may have this key. Keys below a plugin's name without a properties class belong to the plugin. */
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
                .anyMatch(known -> covers(known.getKey(), known.getValue(), name));
    }

    private static boolean covers(String known, Key key, String name) {
        return switch (key.shape()) {
            case VALUE, SWITCH -> canonical(name).equals(known);
            case COLLECTION -> coversList(known, key, numbered(name));
            case MAP -> coversMap(known, key, canonical(name));
        };
    }

    /** Boot reads an entry only with its number in brackets. */
    private static boolean coversList(String known, Key key, String wanted) {
        if (!wanted.startsWith(known)) {
            return false;
        }
        String rest = wanted.substring(known.length());
        return rest.isEmpty()
                || (rest.matches("\\[[0-9]+\\](\\..+)?") && isEntry(rest.replaceAll("[\\[\\].]", ""), key));
    }

    private static boolean coversMap(String known, Key key, String wanted) {
        if (wanted.equals(known)) {
            return true;
        }
        if (!wanted.startsWith(known + ".")) {
            return false;
        }
        String[] below = wanted.substring(known.length() + 1).split("\\.", -1);
        return key.members() == null || below.length < 2 || key.members().contains(below[1]);
    }

    /** As {@link #has}, for an environment variable. Its name does not distinguish dots from underscores and has no hyphens. */
    boolean hasVariable(String name) {
        String wanted = squashed(name);
        return keys.entrySet().stream().anyMatch(known -> {
            String key = squashed(known.getKey());
            return switch (known.getValue().shape()) {
                case VALUE, SWITCH -> wanted.equals(key);
                case COLLECTION -> wanted.startsWith(key) && isEntry(wanted.substring(key.length()), known.getValue());
                case MAP -> wanted.startsWith(key);
            };
        });
    }

    /** Whether the rest of a name is empty, the number of an entry, or a number and a member of the entry. */
    private static boolean isEntry(String rest, Key key) {
        String member = rest.replaceFirst("^[0-9]+", "");
        Set<String> members = key.members() == null ? Set.of() : key.members();
        boolean isNumbered = rest.length() > member.length();
        return member.isEmpty() || (isNumbered && members.contains(member));
    }

    /** The properties class with the longest prefix of this key; empty if no prefix matches. */
    Optional<Root> rootOf(String name) {
        String wanted = canonical(name);
        return roots.stream()
                .filter(root -> wanted.startsWith(canonical(root.name()) + "."))
                .findFirst();
    }

    /** The names of the properties classes with this key. Several classes may have the same key. */
    Set<String> sourcesOf(String name) {
        return Collections.unmodifiableSet(sources.getOrDefault(canonical(name), Set.of()));
    }

    /**
     * A suggestion for an unknown key. For a key in a map: the same key with the entry in brackets, or with the nearest member of
     * the entry. For a key in a list: the first entry, with the nearest member. Otherwise the known key with the smallest edit
     * distance; empty if more than a third of the letters differ.
     */
    Optional<String> nearestTo(String name) {
        return keys.entrySet().stream()
                .flatMap(known -> ofItsEntries(name, known.getKey(), known.getValue()).stream())
                .findFirst()
                .or(() -> nearestKnown(name));
    }

    private static Optional<String> ofItsEntries(String name, String known, Key key) {
        if (!canonical(name).startsWith(known + ".")) {
            return Optional.empty();
        }
        return switch (key.shape()) {
            case VALUE, SWITCH -> Optional.empty();
            case COLLECTION -> Optional.of(ofItsList(name, key));
            case MAP -> ofItsMap(name, known, key);
        };
    }

    private static String ofItsList(String name, Key key) {
        String last = canonical(name.substring(name.lastIndexOf('.') + 1));
        String first = key.name() + "[0]";
        Set<String> members = key.members() == null ? Set.of() : key.members();
        return nearest(last, members).map(member -> first + "." + member).orElse(first);
    }

    private static Optional<String> ofItsMap(String name, String known, Key key) {
        Set<String> members = key.members();
        if (members == null) {
            return Optional.empty();
        }
        return inBrackets(name, known, key.name(), members).or(() -> {
            String[] below = canonical(name).substring(known.length() + 1).split("\\.", -1);
            return below.length < 2
                    ? Optional.empty()
                    : nearest(below[1], members).map(member -> key.name() + "." + below[0] + "." + member);
        });
    }

    private static Optional<String> nearest(String wanted, Set<String> members) {
        return members.stream().min(Comparator.comparingInt(member -> EditDistance.between(wanted, member)));
    }

    /** The name of an entry, such as a role, may contain dots. Without brackets, a dot would end the name. */
    private static Optional<String> inBrackets(String name, String known, String written, Set<String> members) {
        String[] parts = name.split("\\.", -1);
        int entry = known.split("\\.", -1).length;
        int member = parts.length - 1;
        while (member > entry && !members.contains(canonical(parts[member]))) {
            member--;
        }
        return member <= entry
                ? Optional.empty()
                : Optional.of(written + "[" + join(parts, entry, member) + "]." + join(parts, member, parts.length));
    }

    private static String join(String[] parts, int from, int to) {
        return String.join(".", Arrays.asList(parts).subList(from, to));
    }

    private Optional<String> nearestKnown(String name) {
        String wanted = squashed(name);
        return keys.values().stream()
                .map(Key::name)
                .min(Comparator.comparingInt(key -> EditDistance.between(wanted, squashed(key))))
                .filter(key -> EditDistance.between(wanted, squashed(key)) <= wanted.length() / 3);
    }

    /** The canonical spelling, as Boot compares names: without letter case, hyphens and the text in brackets. */
    static String canonical(String name) {
        return name.replaceAll("\\[[^\\]]*\\]", "").toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]", "");
    }

    /** As {@link #canonical}, with the number of each entry. */
    private static String numbered(String name) {
        return name.replaceAll("\\[(?![0-9]+\\])[^\\]]*\\]", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9.\\[\\]]", "");
    }

    static String squashed(String name) {
        return canonical(name).replace(".", "");
    }
}
