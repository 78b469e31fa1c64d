package dev.latchkey.auth.spring;

import dev.latchkey.auth.spring.DefinedService.Defined;
import dev.latchkey.auth.spring.DefinedService.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A line of {@code conditions.txt}; the head of the file explains the form.
 *
 * @param changes the differences of the service
 * @param gone the missing beans, compared with the full service
 * @param come the additional beans
 */
record ConditionRow(Kind kind, List<String> changes, List<String> gone, List<String> come) {

    private static final List<ConditionRow> ALL = read();

    /** Each service is defined once, though more than one test asks for it. */
    private static final Map<DefinedService, Defined> DEFINED = new ConcurrentHashMap<>();

    static List<ConditionRow> all() {
        return ALL;
    }

    static Defined everything(Kind kind) {
        return DEFINED.computeIfAbsent(DefinedService.of(kind), DefinedService::define);
    }

    /** Written as {@code *}. */
    boolean losesAll() {
        return gone.equals(List.of("latchkey*"));
    }

    Defined defined() {
        DefinedService service = DefinedService.of(kind);
        for (String change : changes) {
            service = changed(service, change);
        }
        return DEFINED.computeIfAbsent(service, DefinedService::define);
    }

    private static DefinedService changed(DefinedService service, String change) {
        String[] words = change.split(" ", -1);
        return switch (words[0]) {
            case "no" -> service.without(words[1]);
            case "hides" -> service.hiding(named(words[1]).getName());
            case "lacks" -> service.hiding(words[1]);
            case "own" -> service.having("own " + words[1], named(words[1]));
            case "named" -> service.having(words[1], Object.class);
            default -> service.with(change);
        };
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError("conditions.txt names a class that is not there", e);
        }
    }

    private static List<ConditionRow> read() {
        try (InputStream in = ConditionRow.class.getResourceAsStream("conditions.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(ConditionRow::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ConditionRow of(String line) {
        String[] parts = (line + " | | ").split(" *\\| *", -1);
        List<String> service = Arrays.asList(parts[0].split(", *", -1));
        return new ConditionRow(
                Kind.valueOf(service.get(0).toUpperCase(Locale.ROOT)),
                service.subList(1, service.size()),
                beans(parts[1]),
                beans(parts[2]));
    }

    private static List<String> beans(String names) {
        return Arrays.stream(names.split(" ", -1))
                .filter(name -> !name.isBlank())
                .map(name -> "latchkey" + name)
                .toList();
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + " " + String.join(", ", changes);
    }
}
