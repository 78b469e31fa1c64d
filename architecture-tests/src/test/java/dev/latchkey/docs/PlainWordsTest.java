package dev.latchkey.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Comments of the published modules use nouns. Words that point back, such as "it" and "which", are few, and words for
 * persons without a name, such as "whoever", are rare. Sentences are short.
 */
class PlainWordsTest {

    private static final Set<String> BACKWARD = Set.of(
            "it", "its", "that", "what", "which", "those", "one", "ones", "these", "this", "they", "them", "their");
    private static final Set<String> PERSONS =
            Set.of("who", "whoever", "whom", "whose", "nobody", "somebody", "anybody", "others", "he", "his", "him");

    private static final Pattern COMMENT =
            Pattern.compile("/\\*\\*?(.*?)\\*/|(?<![:\"'])//(.*?)$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("\\{@\\w+ [^}]*}|<[^>]+>|`[^`]*`|@\\w+", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z'-]*");
    private static final Pattern END = Pattern.compile("(?<=[.!?:;])\\s+");

    /** The figures of some comments. */
    private record Figures(int words, int backward, int persons, List<Integer> sentences) {

        static Figures of(List<String> comments) {
            int words = 0;
            int backward = 0;
            int persons = 0;
            List<Integer> sentences = new ArrayList<>();
            for (String comment : comments) {
                String text =
                        CODE.matcher(comment.replaceAll("(?m)^\\s*\\*", " ")).replaceAll(" ");
                for (String word : wordsOf(text)) {
                    words++;
                    backward += BACKWARD.contains(word) ? 1 : 0;
                    persons += PERSONS.contains(word) ? 1 : 0;
                }
                END.splitAsStream(text)
                        .map(sentence -> wordsOf(sentence).size())
                        .filter(length -> length > 2)
                        .forEach(sentences::add);
            }
            return new Figures(words, backward, persons, sentences);
        }

        double backwardPerThousand() {
            return 1000.0 * backward / words;
        }

        double personsPerThousand() {
            return 1000.0 * persons / words;
        }

        double wordsOfASentence() {
            return sentences.stream().mapToInt(length -> length).average().orElse(0);
        }

        double longSentences() {
            return 100.0 * sentences.stream().filter(length -> length > 30).count() / sentences.size();
        }
    }

    static List<String> publishedModules() throws IOException {
        try (Stream<Path> files = Files.walk(RepositoryPages.REPOSITORY, 3)) {
            return files.filter(path -> path.endsWith(Path.of("src", "main")))
                    .map(path -> RepositoryPages.REPOSITORY.relativize(path))
                    .map(path -> path.subpath(0, path.getNameCount() - 2).toString())
                    .filter(module -> module.startsWith("auth-") || module.startsWith("throttle"))
                    .sorted()
                    .toList();
        }
    }

    static List<String> modules() throws IOException {
        List<String> modules = new ArrayList<>(publishedModules());
        try (Stream<Path> plugins = Files.list(RepositoryPages.REPOSITORY.resolve("plugins"))) {
            plugins.filter(plugin -> Files.isDirectory(plugin.resolve("src/main/java")))
                    .map(plugin -> "plugins/" + plugin.getFileName())
                    .sorted()
                    .forEach(modules::add);
        }
        return modules;
    }

    @Test
    void modules_areFound() throws IOException {
        assertThat(modules()).hasSizeGreaterThan(18).contains("auth-api", "throttle", "plugins/ldap");
    }

    @ParameterizedTest
    @MethodSource("modules")
    void commentsOfAModule_useNouns_inShortSentences(String module) throws IOException {
        Figures figures = Figures.of(commentsOf(module));
        assertThat(figures.words()).isPositive();
        assertThat(figures.backwardPerThousand()).as("it, that, which, one").isLessThanOrEqualTo(50);
        assertThat(figures.personsPerThousand()).as("who, whoever, nobody").isLessThanOrEqualTo(2);
        assertThat(figures.wordsOfASentence()).isLessThanOrEqualTo(25);
        assertThat(figures.longSentences()).as("percent over 30 words").isLessThanOrEqualTo(5);
    }

    @Test
    void comments_useNouns_overall() throws IOException {
        List<String> comments = new ArrayList<>();
        for (String module : modules()) {
            comments.addAll(commentsOf(module));
        }
        Figures figures = Figures.of(comments);
        assertThat(figures.words()).isGreaterThan(100_000);
        assertThat(figures.backwardPerThousand()).isLessThanOrEqualTo(40);
        assertThat(figures.personsPerThousand()).isLessThanOrEqualTo(1);
    }

    @Test
    void figures_countProseAndNoCode() {
        Figures figures =
                Figures.of(List.of("*\n * Whoever asks gets {@code it}: the one that fits.\n * @return those"));
        assertThat(figures.words()).isEqualTo(8);
        assertThat(figures.backward()).isEqualTo(3);
        assertThat(figures.persons()).isEqualTo(1);
        assertThat(figures.sentences()).containsExactly(3, 4);
    }

    private static List<String> commentsOf(String module) throws IOException {
        List<String> comments = new ArrayList<>();
        Path sources = RepositoryPages.REPOSITORY.resolve(module).resolve("src/main");
        List<Path> files;
        try (Stream<Path> walk = Files.walk(sources)) {
            files = walk.filter(file -> file.toString().endsWith(".java")).toList();
        }
        for (Path file : files) {
            COMMENT.matcher(Files.readString(file))
                    .results()
                    .map((MatchResult found) -> found.group(1) != null ? found.group(1) : found.group(2))
                    .forEach(comments::add);
        }
        return comments;
    }

    private static List<String> wordsOf(String text) {
        return WORD.matcher(text)
                .results()
                .map(found -> found.group().toLowerCase(Locale.ROOT))
                .toList();
    }
}
