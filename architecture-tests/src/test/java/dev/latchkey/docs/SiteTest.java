package dev.latchkey.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/** The site of this repository: each link leads to an existing file and heading, and nothing comes from another host. */
class SiteTest {

    private static final Path REPOSITORY = RepositoryPages.REPOSITORY;

    /** Kept after the test, so each build leaves the site. */
    private static final Path FOLDER = Path.of("target", "docs");

    private static final Map<Path, Document> PAGES = new HashMap<>();
    private static List<Page> written = List.of();

    @BeforeAll
    static void write() throws IOException {
        FileSystemUtils.deleteRecursively(FOLDER);
        written = Site.write(REPOSITORY, FOLDER);
        for (Page page : written) {
            Path file = FOLDER.resolve(page.htmlPath());
            PAGES.put(file, Jsoup.parse(Files.readString(file)));
        }
    }

    @Test
    void everyLink_leadsToAFileOfTheSite_andToAHeadingOfIt() {
        PAGES.forEach((file, page) -> assertThat(page.select("a[href]").eachAttr("href"))
                .as("%s", file)
                .filteredOn(link -> !link.startsWith("https://") && !link.startsWith("http://localhost"))
                .allSatisfy(link -> leads(file, link)));
    }

    private static void leads(Path from, String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path to = path.isEmpty() ? from : from.resolveSibling(path).normalize();
        assertThat(to).isRegularFile();
        if (hash >= 0) {
            assertThat(PAGES).containsKey(to);
            assertThat(PAGES.get(to).getElementById(link.substring(hash + 1)))
                    .as(link)
                    .isNotNull();
        }
    }

    @Test
    void everyPicture_isThere_andNothingIsFromAnotherHost() {
        PAGES.forEach((file, page) -> assertThat(page.select("[src], link[href]"))
                .isNotEmpty()
                .allSatisfy(element -> assertThat(file.resolveSibling(
                                element.hasAttr("src") ? element.attr("src") : element.attr("href")))
                        .isRegularFile()));
    }

    @Test
    void pages_areAllThatTheRepositoryHas() throws IOException {
        assertThat(written)
                .extracting(Page::path)
                .hasSizeGreaterThan(40)
                .containsExactlyInAnyOrderElementsOf(RepositoryPages.all());
    }

    @Test
    void menu_hasEachPageOfTheDocumentation() throws IOException {
        Menu menu = Menu.of(Page.read(REPOSITORY, Menu.PAGE), REPOSITORY);
        assertThat(written)
                .extracting(Page::path)
                .filteredOn(path -> path.startsWith("docs") && !path.equals(Menu.PAGE))
                .hasSizeGreaterThan(15)
                .allSatisfy(path -> assertThat(menu.pages()).contains(path));
        assertThat(PAGES.get(FOLDER.resolve("SECURITY.html"))
                        .select("#menu a[aria-current]")
                        .eachText())
                .containsExactly("Security");
    }

    @Test
    void linkThatLeadsNowhere_endsTheSite(@TempDir Path repository, @TempDir Path site) throws IOException {
        Files.createDirectories(repository.resolve("docs"));
        Files.writeString(repository.resolve("README.md"), "# A\n\n[b](b.md)\n");
        Files.writeString(repository.resolve("docs/README.md"), "# Menu\n\n## Part\n\n- [A](../README.md)\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Site.write(repository, site))
                .withMessageContaining("'b.md' of README.md");
    }

    @Test
    void copiedPage_hasTheFilesThatItLinks() {
        Path report = FOLDER.resolve("benchmarks/report");
        assertThat(report.resolve("index.html")).isRegularFile();
        assertThat(report.resolve("results.json")).isRegularFile();
    }

    @Test
    void linkedSource_isAPageOfTheSite() throws IOException {
        String source = "examples/api-key-plugin/src/main/java/dev/latchkey/examples/apikey/ApiKeyPlugin.java";
        assertThat(FOLDER.resolve(source)).doesNotExist();
        Document page = Jsoup.parse(Files.readString(FOLDER.resolve(source + ".html")));
        assertThat(page.select("#menu a")).isNotEmpty();
        assertThat(page.select("code.language-java").text()).contains("class ApiKeyPlugin");
        try (Stream<Path> files = Files.walk(FOLDER)) {
            assertThat(files.filter(file -> file.toString().endsWith(".html") && !file.endsWith("index.html")))
                    .hasSizeGreaterThan(60)
                    .allSatisfy(file -> assertThat(Files.readString(file)).contains("site.css"));
        }
    }

    @Test
    void diagramsAndCode_areDrawn_andScrollByKeyboard() {
        Document page = PAGES.get(FOLDER.resolve("ARCHITECTURE.html"));
        assertThat(page.select(".diagram svg > rect")).hasSizeGreaterThan(15);
        assertThat(PAGES.values().stream().flatMap(each -> each.select("code.language-mermaid").stream()))
                .isEmpty();
        assertThat(PAGES.values().stream().flatMap(each -> each.select("pre, .diagram, .scroll").stream()))
                .hasSizeGreaterThan(200)
                .allSatisfy(region -> {
                    assertThat(region.attr("tabindex")).isEqualTo("0");
                    assertThat(region.attr("role")).isEqualTo("region");
                    assertThat(region.attr("aria-label")).isNotEmpty();
                });
    }

    @Test
    void site_isTheSameEachTime(@TempDir Path again) throws IOException {
        Site.write(REPOSITORY, again);
        try (Stream<Path> files = Files.walk(FOLDER)) {
            assertThat(files.filter(Files::isRegularFile))
                    .isNotEmpty()
                    .allSatisfy(file ->
                            assertThat(again.resolve(FOLDER.relativize(file))).hasSameBinaryContentAs(file));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
