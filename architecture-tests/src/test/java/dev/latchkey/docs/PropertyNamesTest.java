package dev.latchkey.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each property and each meter named on a page is in the reference, which is written from the code. */
class PropertyNamesTest {

    private static final Pattern NAMED =
            Pattern.compile("(?<![\\w/.-])latchkey(?:\\.[a-z][a-z-]*)+(?![\\w(\\[-])(?!\\.?[<*])");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(latchkey[a-z.-]+)`");

    /** Properties below a name that the service chooses. */
    private static final Pattern ELSEWHERE = Pattern.compile(
            "latchkey\\.(plugin|throttle|permissions\\.policy|login\\.clients|trusted-issuers)(\\..*)?");

    /** Of the tests and measurements of this repository. */
    private static final Set<String> NO_PROPERTIES = Set.of("latchkey.dev", "latchkey.redis-server", "latchkey.turns");

    private static final Set<String> KNOWN = Stream.of("properties.md", "meters.md")
            .flatMap(PropertyNamesTest::namesIn)
            .collect(Collectors.toSet());

    static List<Path> pages() throws IOException {
        return RepositoryPages.all();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyPropertyThatAPageNames_exists(Path page) throws IOException {
        Set<String> named = namedIn(Files.readString(RepositoryPages.REPOSITORY.resolve(page)));
        named.removeIf(PropertyNamesTest::isKnown);
        assertThat(named).isEmpty();
    }

    @Test
    void nameOfNoProperty_isFoundMissing() {
        assertThat(namedIn("`latchkey.jwt.secret`, latchkey.jwt.lifetime: 1h, dev.latchkey.auth, `latchkey.jwt.*`"))
                .containsExactly("latchkey.jwt.lifetime", "latchkey.jwt.secret");
        assertThat(isKnown("latchkey.jwt.secret")).isTrue();
        assertThat(isKnown("latchkey.jwt.secret-fiel")).isFalse();
        assertThat(isKnown("latchkey.jwt")).isTrue();
        assertThat(isKnown("latchkey.jw")).isFalse();
        assertThat(isKnown("latchkey.hashing.wait")).isTrue();
    }

    private static Set<String> namedIn(String text) {
        return NAMED.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    /** A property, the beginning of some, or a meter. */
    private static boolean isKnown(String name) {
        return KNOWN.contains(name)
                || NO_PROPERTIES.contains(name)
                || ELSEWHERE.matcher(name).matches()
                || KNOWN.stream().anyMatch(known -> known.startsWith(name + "."));
    }

    private static Stream<String> namesIn(String table) {
        try {
            return ROW.matcher(Files.readString(
                            RepositoryPages.REPOSITORY.resolve("docs/reference").resolve(table)))
                    .results()
                    .map(row -> row.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
