package dev.latchkey.auth.engine;

import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RegisteredCredentials;
import dev.latchkey.auth.Subject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the service names the subjects of several login sources, so that two accounts {@code alice} of two sources are two subjects.
 *
 * <p>The id of a subject carries the name of its source: {@code directory:alice}. So everything that goes by the id tells the subjects apart: tokens,
 * sessions, API keys, permissions, revocation, and the service's own code. A separate field for the source would have to be compared in each of those
 * places. Ids of shared sources stay as they are, and so do the ids of {@link RegisteredCredentials}, which are names of the service already.
 */
final class SubjectNames {

    private static final String SEPARATOR = ":";

    /** By source; empty for sources whose ids stay as they are. */
    private final Map<String, String> prefixes;

    private SubjectNames(Map<String, String> prefixes) {
        this.prefixes = prefixes;
    }

    /** The first source with accounts keeps its ids; further ones are told apart. */
    static SubjectNames ofFirst(List<LoginSource<?>> sources) {
        Set<String> first = sources.stream()
                .filter(source -> !isRegistered(source))
                .findFirst()
                .map(source -> Set.of(source.name()))
                .orElse(Set.of());
        return of(sources, first);
    }

    /** The ids of shared sources stay as they are. */
    static SubjectNames of(List<LoginSource<?>> sources, Set<String> shared) {
        Map<String, String> prefixes = new LinkedHashMap<>();
        for (LoginSource<?> source : sources) {
            boolean keeps = isRegistered(source) || shared.contains(source.name());
            prefixes.put(source.name(), keeps ? "" : source.name() + SEPARATOR);
        }
        return new SubjectNames(prefixes);
    }

    private static boolean isRegistered(LoginSource<?> source) {
        return RegisteredCredentials.class.isAssignableFrom(source.kind());
    }

    /** The subject as the service names it; null where the id would be taken for a subject of another source, or would be too long. */
    @Nullable
    Subject inService(LoginSource<?> source, Subject subject) {
        String prefix = prefixes.getOrDefault(source.name(), "");
        if (prefix.isEmpty()) {
            return isRegistered(source) || !isOfAnother(subject.id()) ? subject : null;
        }
        String id = prefix + subject.id();
        return Subject.isId(id) ? subject.withId(id) : null;
    }

    /** Whether any source has subjects with a prefix. */
    boolean tellApart() {
        return prefixes.values().stream().anyMatch(prefix -> !prefix.isEmpty());
    }

    /** Whether the id has the form of a subject of a source whose ids carry a prefix. */
    boolean isOfAnother(String id) {
        for (String prefix : prefixes.values()) {
            if (!prefix.isEmpty() && id.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** The id by which this plugin knows the subject; empty where the subject is another source's. */
    Optional<String> inPlugin(String plugin, String id) {
        String prefix = prefixes.getOrDefault(plugin, "");
        return id.startsWith(prefix) ? Optional.of(id.substring(prefix.length())) : Optional.empty();
    }
}
