package dev.latchkey.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures that are kept in the repository, their page, and what the README says of them. */
class KeptReportTest {

    private static final Path FOLDER = Path.of("report");

    /** Measures what a style sheet can get wrong, and leaves the answers where they can be read. */
    private static final String PROBE = """
            <script>
              const hidden = [...document.querySelectorAll('figure td > span')]
                .filter(bar => bar.getBoundingClientRect().width < 2 || bar.getBoundingClientRect().height < 8);
              const outside = [...document.querySelectorAll('figure td')]
                .filter(cell => cell.getBoundingClientRect().right > document.documentElement.clientWidth);
              document.body.dataset.hidden = hidden.length;
              document.body.dataset.outside = outside.length;
              document.body.dataset.wider = document.documentElement.scrollWidth - document.documentElement.clientWidth;
              document.body.dataset.paper = getComputedStyle(document.body).backgroundColor;
            </script>
            """;

    private final Report report;

    KeptReportTest() throws IOException {
        report = ReportFile.read(FOLDER.resolve("results.json"));
    }

    @Test
    void keptPage_isMadeOfTheKeptFigures() throws IOException {
        assertThat(Files.readString(FOLDER.resolve("index.html")))
                .as("write it anew: benchmarks/run page")
                .isEqualTo(Page.of(report));
    }

    @Test
    void readme_showsTheKeptFigures() throws IOException {
        assertThat(Files.readString(Path.of("README.md"))).contains(Headline.of(report));
    }

    @Test
    void keptPictures_areMadeOfTheKeptFigures_andTheFirstPageShowsThem() throws IOException {
        String firstPage = Files.readString(Path.of("..", "README.md"));
        assertThat(Pictures.of(report)).hasSize(2);
        for (Map.Entry<String, String> picture : Pictures.of(report).entrySet()) {
            assertThat(Files.readString(FOLDER.resolve(picture.getKey())))
                    .as("write it anew: benchmarks/run page")
                    .isEqualTo(picture.getValue());
            assertThat(firstPage).contains("(benchmarks/report/" + picture.getKey() + ")");
        }
    }

    @Test
    void everyScenario_isThere() {
        assertThat(report.sections().stream().map(Section::id))
                .containsExactly(
                        "basic",
                        "hits",
                        "refusals",
                        "request",
                        "tokens",
                        "arrivals",
                        "throttle",
                        "capacity",
                        "starts",
                        "nodes",
                        "nacos",
                        "peers",
                        "growth",
                        "kinds");
        assertThat(report.sections())
                .filteredOn(section -> !Set.of("kinds", "growth").contains(section.id()))
                .allSatisfy(section -> assertThat(section.goals()).isNotEmpty());
    }

    @Test
    void keptFigures_nameNoPathOfTheMachine() throws IOException {
        assertThat(Files.readString(FOLDER.resolve("results.json"))).doesNotContain("/home", "/root", "/tmp", "/work");
    }

    @Test
    void page_isWholeInARealBrowser(@TempDir Path scratch) throws Exception {
        Path copy = scratch.resolve("index.html");
        Files.writeString(copy, Page.of(report).replace("</body>", PROBE + "</body>"));
        Optional<Browser> browser = Browser.find();
        for (int width : new int[] {390, 1280}) {
            // Without a browser a parser must do: then charts and links are looked at, but not how wide they become.
            Document page = Jsoup.parse(Files.readString(copy));
            if (browser.isPresent()) {
                Browser.Looked looked = browser.get().look(copy, width, scratch);
                page = looked.page();
                assertThat(looked.console()).doesNotContain("CONSOLE");
                assertThat(page.body().attr("data-hidden")).isEqualTo("0");
                assertThat(page.body().attr("data-outside")).isEqualTo("0");
                assertThat(page.body().attr("data-wider")).isEqualTo("0");
                assertThat(page.body().attr("data-paper")).isEqualTo("rgb(251, 250, 248)");
            }
            assertThat(page.select("figure > table"))
                    .hasSize(report.sections().stream()
                            .map(Section::charts)
                            .mapToInt(List::size)
                            .sum());
            assertThat(page.select("nav a").eachAttr("href"))
                    .hasSize(report.sections().size() + 1)
                    .allSatisfy(link -> assertThat(page(copy).getElementById(link.substring(1)))
                            .isNotNull());
        }
    }

    private static Document page(Path file) {
        try {
            return Jsoup.parse(Files.readString(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
