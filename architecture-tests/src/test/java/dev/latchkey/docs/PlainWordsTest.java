package dev.latchkey.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Comments of src/main use nouns: few words that point back, such as "it" and "which", and hardly a word such as "whoever".
 * Sentences and lines of comments and pages are short.
 */
class PlainWordsTest {

    private static final Set<String> BACKWARD = Set.of(
            "it", "its", "that", "what", "which", "those", "one", "ones", "these", "this", "they", "them", "their");
    private static final Set<String> PERSONS =
            Set.of("who", "whoever", "whom", "whose", "nobody", "somebody", "anybody", "others", "he", "his", "him");

    private static final Pattern COMMENT =
            // A text such as "/**" begins no comment.
            Pattern.compile(
                    "\"(?:\\\\.|[^\"\\\\\n])*\"|/\\*\\*?(.*?)\\*/|//(.*?)$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("\\{@\\w+ [^}]*}|<[^>]+>|`[^`]*`|@\\w+", Pattern.DOTALL);
    private static final Pattern SAMPLE = Pattern.compile("<pre>.*?</pre>", Pattern.DOTALL);
    /** A tag or an element of a list begins a sentence. */
    private static final Pattern PART = Pattern.compile(
            "(?=^ *@(?:param|return|throws)\\b)|</?(?:p|li|ul|ol|pre|table|tr|td)>|\\n *\\n", Pattern.MULTILINE);

    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z'-]*");
    private static final Pattern END = Pattern.compile("(?<=[.!?:;])\\s+");

    private static final int MOST_WORDS = 30;
    private static final int LONGEST_LINE = 160;

    private static final Pattern SNIPPET = Pattern.compile("^ *```.*?^ *```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    /** Tables that a test or a benchmark writes. */
    private static final Pattern GENERATED = Pattern.compile("<!-- (\\w+) -->.*?<!-- /\\1 -->", Pattern.DOTALL);
    /** A heading, a list item, a table cell and a paragraph. */
    private static final Pattern BLOCK = Pattern.compile("\\n\\s*\\n|\\n(?=\\s*(?:[-#|]|\\d+\\.\\s))|(?<!\\\\)\\|");

    /** The figures of some comments. */
    private record Figures(int words, int backward, int persons, List<String> sentences) {

        static Figures of(List<String> comments) {
            int words = 0;
            int backward = 0;
            int persons = 0;
            List<String> sentences = new ArrayList<>();
            for (String comment : comments) {
                String text = comment.replaceAll("(?m)^\\s*\\*", " ");
                for (String word : wordsOf(
                        CODE.matcher(SAMPLE.matcher(text).replaceAll(" ")).replaceAll(" "))) {
                    words++;
                    backward += BACKWARD.contains(word) ? 1 : 0;
                    persons += PERSONS.contains(word) ? 1 : 0;
                }
                PART.splitAsStream(SAMPLE.matcher(text).replaceAll("<p>"))
                        .map(part -> CODE.matcher(part).replaceAll(" "))
                        .flatMap(END::splitAsStream)
                        .filter(sentence -> wordsOf(sentence).size() > 2)
                        .map(String::strip)
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
            return sentences.stream()
                    .mapToInt(sentence -> wordsOf(sentence).size())
                    .average()
                    .orElse(0);
        }

        List<String> longSentences() {
            return sentences.stream()
                    .filter(sentence -> wordsOf(sentence).size() > MOST_WORDS)
                    .toList();
        }
    }

    static List<String> modules() throws IOException {
        try (Stream<Path> folders = Files.walk(RepositoryPages.REPOSITORY, 2)) {
            return folders.filter(folder -> Files.isDirectory(folder.resolve("src/main/java")))
                    .map(folder -> RepositoryPages.REPOSITORY.relativize(folder).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void modules_areFound() throws IOException {
        assertThat(modules())
                .hasSizeGreaterThan(22)
                .contains("auth-api", "throttle", "plugins/ldap", "examples/quickstart", "benchmarks");
    }

    @ParameterizedTest
    @MethodSource("modules")
    void commentsOfAModule_useNouns_inShortSentences(String module) throws IOException {
        Figures figures = Figures.of(commentsOf(module));
        assertThat(figures.words()).isPositive();
        assertThat(figures.backwardPerThousand()).as("it, that, which, one").isLessThanOrEqualTo(50);
        assertThat(figures.personsPerThousand()).as("who, whoever, nobody").isLessThanOrEqualTo(2);
        assertThat(figures.wordsOfASentence()).isLessThanOrEqualTo(25);
        assertThat(figures.longSentences()).isEmpty();
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

    /** Comments of tests stand beside the explained code, so words that point back may be a little more frequent. */
    @Test
    void commentsOfTests_useNouns_overall() throws IOException {
        List<String> comments = new ArrayList<>();
        for (Path folder : testFolders()) {
            comments.addAll(commentsIn(folder));
        }
        Figures figures = Figures.of(comments);
        assertThat(figures.words()).isGreaterThan(20_000);
        assertThat(figures.backwardPerThousand()).isLessThanOrEqualTo(60);
        assertThat(figures.personsPerThousand()).isLessThanOrEqualTo(2);
    }

    private static List<Path> testFolders() throws IOException {
        try (Stream<Path> folders = Files.walk(RepositoryPages.REPOSITORY, 4)) {
            return folders.filter(folder -> folder.endsWith("src/test")).toList();
        }
    }

    @Test
    void figures_countProseAndNoCode() {
        Figures figures =
                Figures.of(List.of("*\n * Whoever asks gets {@code it}: the one that fits.\n * @return those"));
        assertThat(figures.words()).isEqualTo(8);
        assertThat(figures.backward()).isEqualTo(3);
        assertThat(figures.persons()).isEqualTo(1);
        assertThat(figures.sentences())
                .extracting(sentence -> wordsOf(sentence).size())
                .containsExactly(3, 4);
    }

    @Test
    void figures_countEachTagAlone_andFindLongSentences() {
        String words = "word ".repeat(MOST_WORDS);
        Figures figures = Figures.of(
                List.of("*\n * " + words + "\n * @param text " + words + "\n * @return more " + words + "\n"));
        assertThat(figures.sentences()).hasSize(3);
        assertThat(figures.longSentences()).hasSize(2);
    }

    static List<Path> pages() throws IOException {
        return RepositoryPages.all().stream()
                .filter(page -> Language.of(page) == Language.ENGLISH)
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void sentencesOfAPage_areShort(Path page) throws IOException {
        assertThat(sentencesOf(Files.readString(RepositoryPages.REPOSITORY.resolve(page))))
                .filteredOn(sentence -> wordsOf(sentence).size() > MOST_WORDS)
                .isEmpty();
    }

    @Test
    void sentencesOfAPage_areFound() {
        assertThat(
                        sentencesOf(
                                "# A title\n\nOne fact. [Another](long/way.md)\n\n```\nno sentence\n```\n\n| a | b |\n1. Do it."))
                .containsExactly("# A title", "One fact.", "Another", "a", "b", "1.", "Do it.");
    }

    /** The reference is made of texts in the code, and its tables have long rows. */
    static List<Path> writtenPages() throws IOException {
        return pages().stream()
                .filter(page -> !page.startsWith("docs/reference"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("writtenPages")
    void linesOfAPage_areShort(Path page) throws IOException {
        assertThat(linesOf(Files.readString(RepositoryPages.REPOSITORY.resolve(page))))
                .filteredOn(line -> line.length() > LONGEST_LINE)
                .isEmpty();
    }

    @Test
    void promisesOfSecurity_areShort_withATestEach() throws IOException {
        List<String[]> promises = Files.readString(RepositoryPages.REPOSITORY.resolve("SECURITY.md"))
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| ---") && !line.startsWith("| Promise"))
                .map(line -> line.substring(1).split("\\|", -1))
                .toList();
        assertThat(promises).hasSizeGreaterThan(90).allSatisfy(cells -> {
            // The row ends with a bar.
            assertThat(cells).hasSize(3);
            assertThat(wordsOf(CODE.matcher(cells[0]).replaceAll(" "))).hasSizeBetween(3, 25);
            assertThat(cells[1].strip()).matches("`\\w+`");
        });
    }

    private static List<String> linesOf(String page) {
        return SNIPPET.matcher(GENERATED.matcher(page).replaceAll(""))
                .replaceAll("")
                .lines()
                .toList();
    }

    private static List<String> sentencesOf(String page) {
        String prose = LINK.matcher(SNIPPET.matcher(page).replaceAll("\n"))
                .replaceAll("$1")
                .replace("**", "");
        return BLOCK.splitAsStream(prose)
                .map(part -> CODE.matcher(part).replaceAll(" "))
                .flatMap(END::splitAsStream)
                .map(String::strip)
                .filter(sentence -> !sentence.isEmpty())
                .toList();
    }

    private static List<String> commentsOf(String module) throws IOException {
        return commentsIn(RepositoryPages.REPOSITORY.resolve(module).resolve("src/main"));
    }

    private static List<String> commentsIn(Path sources) throws IOException {
        List<String> comments = new ArrayList<>();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(sources)) {
            files = walk.filter(file -> file.toString().endsWith(".java")).toList();
        }
        for (Path file : files) {
            COMMENT.matcher(Files.readString(file))
                    .results()
                    .map((MatchResult found) -> found.group(1) != null ? found.group(1) : found.group(2))
                    .filter(Objects::nonNull)
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
