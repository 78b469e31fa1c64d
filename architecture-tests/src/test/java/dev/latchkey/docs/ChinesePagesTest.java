package dev.latchkey.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.ListItem;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each Chinese page says the same as its English page: the same headings, snippets, code, list items and tables. */
class ChinesePagesTest {

    private static final Path DOCS = Path.of("docs");
    private static final Path CHINESE = DOCS.resolve("zh-CN");

    static List<Path> chinesePages() throws IOException {
        return RepositoryPages.all().stream()
                .filter(path -> Language.of(path) == Language.CHINESE)
                .sorted()
                .toList();
    }

    private static Path english(Path chinese) {
        return chinese.startsWith(CHINESE)
                ? DOCS.resolve(CHINESE.relativize(chinese))
                : Path.of(chinese.toString().replace(".zh-CN.md", ".md"));
    }

    @Test
    void gettingStarted_nacosAndSaToken_areInChinese() throws IOException {
        Set<Path> translated =
                chinesePages().stream().map(ChinesePagesTest::english).collect(Collectors.toSet());
        assertThat(RepositoryPages.all())
                .filteredOn(path -> path.startsWith(DOCS.resolve("getting-started")))
                .hasSizeGreaterThan(6)
                .allSatisfy(path -> assertThat(translated).contains(path));
        assertThat(translated)
                .contains(
                        Path.of("README.md"),
                        DOCS.resolve("from-nacos-auth-plugins.md"),
                        DOCS.resolve("how-to/from-sa-token.md"));
    }

    @ParameterizedTest
    @MethodSource("chinesePages")
    void page_hasTheHeadingsSnippetsAndCodeOfTheEnglishPage(Path chinese) throws IOException {
        Page page = Page.read(RepositoryPages.REPOSITORY, chinese);
        Page original = Page.read(RepositoryPages.REPOSITORY, english(chinese));
        assertThat(page.sections())
                .extracting(Page.Section::level)
                .isEqualTo(original.sections().stream().map(Page.Section::level).toList());
        assertThat(page.snippets()).isEqualTo(original.snippets());
        assertThat(codeOf(page)).isEqualTo(codeOf(original));
        assertThat(partsOf(page)).isEqualTo(partsOf(original));
    }

    @ParameterizedTest
    @MethodSource("chinesePages")
    void pages_linkEachOther(Path chinese) throws IOException {
        Path english = english(chinese);
        assertThat(targetsOf(chinese)).contains(english);
        assertThat(targetsOf(english)).contains(chinese);
    }

    /** A reader of Chinese pages stays there where a Chinese page exists. */
    @ParameterizedTest
    @MethodSource("chinesePages")
    void page_linksChinesePages(Path chinese) throws IOException {
        Set<Path> translated =
                chinesePages().stream().map(ChinesePagesTest::english).collect(Collectors.toSet());
        translated.remove(english(chinese));
        assertThat(targetsOf(chinese)).doesNotContainAnyElementsOf(translated);
    }

    @Test
    void chinesePage_namesItsLanguage(@TempDir Path folder) throws IOException {
        Site.write(RepositoryPages.REPOSITORY, folder);
        Document page = Jsoup.parse(Files.readString(folder.resolve("docs/zh-CN/getting-started/basic.html")));
        assertThat(page.select("html").attr("lang")).isEqualTo("zh-CN");
        assertThat(page.select("main a[hreflang=en]").first().attr("lang")).isEqualTo("en");
        assertThat(page.select("#query").attr("placeholder")).contains("搜索");
        Document english = Jsoup.parse(Files.readString(folder.resolve("docs/getting-started/basic.html")));
        assertThat(english.select("html").attr("lang")).isEqualTo("en");
        assertThat(english.select("main a[hreflang=zh-CN]").first().attr("lang"))
                .isEqualTo("zh-CN");
        assertThat(english.select("#menu a[lang=zh-CN]")).hasSizeGreaterThan(8);
    }

    private static Set<Path> targetsOf(Path path) throws IOException {
        Page page = Page.read(RepositoryPages.REPOSITORY, path);
        return page.links().stream()
                .filter(link -> !Target.isElsewhere(link))
                .map(link -> Target.of(link, page, RepositoryPages.REPOSITORY).path())
                .collect(Collectors.toSet());
    }

    /** The inline code of a page: properties, classes, methods, answers. */
    private static Set<String> codeOf(Page page) {
        Set<String> code = new TreeSet<>();
        page.root().accept(new AbstractVisitor() {
            @Override
            public void visit(Code found) {
                code.add(found.getLiteral());
            }
        });
        return code;
    }

    /** The numbers of list items, table rows and cells. */
    private static List<Integer> partsOf(Page page) {
        int[] parts = new int[2];
        page.root().accept(new AbstractVisitor() {
            @Override
            public void visit(ListItem item) {
                parts[0]++;
                visitChildren(item);
            }

            @Override
            public void visit(CustomNode part) {
                parts[1]++;
                visitChildren(part);
            }
        });
        return List.of(parts[0], parts[1]);
    }
}
