package dev.latchkey.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The search finds each heading with the text below. */
class SearchIndexTest {

    private static final Page PAGE = new Page(
            Path.of("docs", "a.md"),
            Markdown.parse(
                    "# First\n\nIntro `code`,\nmore\n\n## Second *one*\n\n| a | b |\n| --- | --- |\n| cell | x |\n\n```\nfenced </script>\n```\n"));

    @Test
    void eachHeading_isAnEntry_withTheTextBelowIt() {
        assertThat(SearchIndex.entriesOf(PAGE))
                .extracting(SearchIndex.Entry::link, SearchIndex.Entry::title, SearchIndex.Entry::text)
                .containsExactly(
                        tuple("docs/a.html#first", "First", "Intro code, more"),
                        tuple("docs/a.html#second-one", "Second one", "a b cell x fenced </script>"));
    }

    @Test
    void index_isAScriptThatEndsNoScript() {
        assertThat(SearchIndex.of(List.of(PAGE)))
                .startsWith("window.latchkeyIndex = [\n[\"First\",\"docs/a.html#first\",")
                .contains("\\u003c/script>")
                .doesNotContain("</script>");
    }
}
