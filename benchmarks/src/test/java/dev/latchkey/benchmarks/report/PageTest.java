package dev.latchkey.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.benchmarks.report.Chart.Scale;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;

class PageTest {

    private static final Chart BARS = Chart.bars(
            "Rates",
            "per second",
            Scale.LOGARITHMIC,
            List.of("first", "second"),
            List.of(Series.of("ours", List.of(10.0, 2000.0)), Series.of("theirs", List.of(5.0, 9.0))));

    private static final Chart LINES = Chart.lines(
            "Times", "users", Scale.LINEAR, "ms", Scale.LINEAR, List.of(Series.of("p99", List.of(1.0, 4.0, 9.0))));

    private static final Section SECTION = new Section(
            "basic",
            "Basic",
            "HTTP Basic <b>& more</b>",
            "What was done.",
            List.of(Goal.atLeast("share", "Beside no hash", 99.5, 95, "%"), Goal.atMost("p99", "Slowest", 3.1, 3, "×")),
            List.of(BARS, LINES),
            List.of(new Table("All", List.of("", "rate"), List.of(List.of("ours", "1,234")))),
            List.of("Read as ratios."));

    private final Document page =
            Jsoup.parse(Page.of(Report.on(Map.of("cores", "2")).with(SECTION, "benchmarks/run quick", "2026-11-21")));

    @Test
    void page_needsNothingButItself() {
        assertThat(page.select("script, link, img, iframe, object, [src]")).isEmpty();
        assertThat(page.outerHtml()).doesNotContain("@import", "url(", "http://", "https://");
    }

    @Test
    void links_leadSomewhere() {
        assertThat(page.select("a[href^=#]").eachAttr("href"))
                .isNotEmpty()
                .allSatisfy(link ->
                        assertThat(page.getElementById(link.substring(1))).isNotNull());
        assertThat(page.select("a:not([href^=#])").eachAttr("href")).containsExactly("results.json");
    }

    @Test
    void goals_sayWhetherTheyAreMet() {
        assertThat(page.select("li.met").eachText()).containsExactly("met Beside no hash 99.5 % at least 95.0 %");
        assertThat(page.select("li.missed").eachText()).containsExactly("not met Slowest 3.10 × at most 3.00 ×");
        assertThat(page.select("ul.goals > li").eachAttr("class")).containsExactly("missed", "met");
        assertThat(page.select(".lead").text()).startsWith("1 of 2 goals met");
    }

    @Test
    void everyBarAndEveryPoint_isDrawn() {
        assertThat(page.select("figure.bars > svg > rect")).hasSize(4);
        assertThat(page.select("figure.lines > svg > circle")).hasSize(3);
        assertThat(page.select("figure.lines > svg > path").attr("d")).doesNotContain("NaN");
    }

    @Test
    void longerBar_standsForMore() {
        List<Double> widths = page.select("figure.bars > svg > rect").eachAttr("width").stream()
                .map(Double::valueOf)
                .toList();
        assertThat(widths.get(2)).isGreaterThan(widths.get(0));
        assertThat(widths.get(0)).isGreaterThan(widths.get(1));
    }

    @Test
    void everyChart_isNamedAndHasItsFiguresAsATable() {
        assertThat(page.select("figure > svg").eachAttr("aria-label")).containsExactly("Rates", "Times");
        assertThat(page.select("figure > svg").eachAttr("role")).containsOnly("img");
        assertThat(page.select("figure.bars details tbody tr").eachText())
                .containsExactly("first ours 10.0", "second ours 2,000", "first theirs 5.00", "second theirs 9.00");
    }

    @Test
    void text_isNotReadAsMarkup() {
        assertThat(page.select("h2").first().text()).isEqualTo("HTTP Basic <b>& more</b>");
        assertThat(page.select("h2 b")).isEmpty();
    }

    @Test
    void page_isReadableOnAPhoneAndInTheDark() {
        assertThat(page.select("meta[name=viewport]").attr("content")).contains("width=device-width");
        assertThat(page.select("meta[name=color-scheme]").attr("content")).isEqualTo("light dark");
        assertThat(page.select("style").html()).contains("prefers-color-scheme: dark", "max-width: 40rem");
        assertThat(page.select("html").attr("lang")).isEqualTo("en");
        assertThat(page.title()).isNotBlank();
    }
}
