package dev.latchkey.auth.engine;

import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RegisteredCredentials;
import dev.latchkey.auth.Subject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The service's names for the subjects of several login sources, so that two accounts {@code alice} of two sources are two
 * subjects.
 *
 * <p>The id of a subject has the name of its source as prefix: {@code directory:alice}. So all code with ids distinguishes the
 * subjects: tokens, sessions, API keys, permissions, revocation, and the service's own code. A separate field for the source
 * would need a comparison in each of these places. Ids of shared sources have no prefix. Neither do the ids of {@link
 * RegisteredCredentials}, because these ids are names of the service already, unless another party has issued the credentials.
 */
final class SubjectNames {

    private static final String SEPARATOR = ":";

    /** By source; empty for sources without a prefix. */
    private final Map<String, String> prefixes;

    private final Set<String> shared;

    /** Names of sources outside the plugins; no id of a plugin's subject may begin with such a name. */
    private final Set<String> outside;

    private SubjectNames(Map<String, String> prefixes, Set<String> shared, Set<String> outside) {
        this.prefixes = prefixes;
        this.shared = Set.copyOf(shared);
        this.outside = Set.copyOf(outside);
    }

    /** The first source with accounts keeps its ids; the ids of further sources have a prefix. */
    static SubjectNames ofFirst(List<LoginSource<?>> sources) {
        Set<String> first = sources.stream()
                .filter(source -> !isRegistered(source))
                .findFirst()
                .map(source -> Set.of(source.name()))
                .orElse(Set.of());
        return new SubjectNames(Map.of(), Set.of(), Set.of()).withShared(sources, first);
    }

    /** A copy with these shared sources only. The ids of shared sources and of registered credentials have no prefix. */
    SubjectNames withShared(List<LoginSource<?>> sources, Set<String> shared) {
        return withShared(sources, shared, source -> isRegistered(source) || shared.contains(source.name()));
    }

    /** A copy with these shared sources only. All other ids have a prefix, the ids of registered credentials too. */
    SubjectNames withSharedAlone(List<LoginSource<?>> sources, Set<String> shared) {
        return withShared(sources, shared, source -> shared.contains(source.name()));
    }

    private SubjectNames withShared(
            List<LoginSource<?>> sources, Set<String> shared, Predicate<LoginSource<?>> keepsIds) {
        Map<String, String> named = new LinkedHashMap<>();
        for (LoginSource<?> source : sources) {
            named.put(source.name(), keepsIds.test(source) ? "" : source.name() + SEPARATOR);
        }
        return new SubjectNames(named, shared, outside);
    }

    /** A copy for a service with subjects of sources outside the plugins. */
    SubjectNames withOutside(Set<String> sources) {
        return new SubjectNames(prefixes, shared, sources);
    }

    static boolean isRegistered(LoginSource<?> source) {
        return RegisteredCredentials.class.isAssignableFrom(source.kind());
    }

    /** The subject with its name in the service; null if the id looks like a subject of another source, or would be too long. */
    @Nullable
    Subject inService(LoginSource<?> source, Subject subject) {
        String prefix = prefixes.getOrDefault(source.name(), "");
        if (prefix.isEmpty()) {
            return isForeignTo(source, subject.id()) ? null : subject;
        }
        String id = prefix + subject.id();
        return Subject.isId(id) ? subject.withId(id) : null;
    }

    /** The name of an outside source's subject; empty if the id or the name is invalid, or the name belongs to another source. */
    Optional<String> ofOutside(String source, String id) {
        String name = shared.contains(source) ? id : source + SEPARATOR + id;
        boolean isTaken = shared.contains(source) && hasSourcePrefix(id);
        return Subject.isId(id) && Subject.isId(name) && !isTaken ? Optional.of(name) : Optional.empty();
    }

    /**
     * The source of the subject with this id, as far as the id tells: the source of the prefix, or the only source without a
     * prefix.
     *
     * @param sources of the chain
     */
    Optional<String> sourceOf(List<LoginSource<?>> sources, String id) {
        List<String> possible = sources.stream()
                .filter(source -> !isRegistered(source))
                .map(LoginSource::name)
                .filter(name ->
                        hasSourcePrefix(id) ? isPrefixed(name) && id.startsWith(name + SEPARATOR) : !isPrefixed(name))
                .toList();
        return possible.size() == 1 ? Optional.of(possible.get(0)) : Optional.empty();
    }

    private boolean isPrefixed(String source) {
        return !prefixes.getOrDefault(source, "").isEmpty();
    }

    /** Whether the id has the form of a subject of a source with a prefix. */
    boolean hasSourcePrefix(String id) {
        for (String prefix : prefixes.values()) {
            if (!prefix.isEmpty() && id.startsWith(prefix)) {
                return true;
            }
        }
        for (String source : outside) {
            if (id.startsWith(source) && id.startsWith(SEPARATOR, source.length())) {
                return true;
            }
        }
        return false;
    }

    /** Whether this source has no prefix, but the id has a source's prefix. No login of the source has such an id. */
    boolean isForeignTo(LoginSource<?> source, String id) {
        return !isRegistered(source) && !isPrefixed(source.name()) && hasSourcePrefix(id);
    }

    /** The plugin's own id of the subject: the id without the plugin's prefix, if any. Empty if the id lacks the prefix. */
    Optional<String> inPlugin(String plugin, String id) {
        String prefix = prefixes.getOrDefault(plugin, "");
        return id.startsWith(prefix) ? Optional.of(id.substring(prefix.length())) : Optional.empty();
    }
}
