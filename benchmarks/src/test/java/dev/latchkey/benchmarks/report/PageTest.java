package dev.latchkey.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Chart.Series;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;

class PageTest {

    private static final Chart BARS = new Chart(
            "Rates",
            "per second",
            Scale.LOGARITHMIC,
            List.of("first", "second"),
            List.of(new Series("ours", List.of(10.0, 2000.0)), new Series("theirs", List.of(5.0, 9.0))));

    private static final Section SECTION = new Section(
            "basic",
            "Basic",
            "HTTP Basic <b>& more</b>",
            "What was done.",
            List.of(Goal.atLeast("share", "Beside no hash", 99.5, 95, "%"), Goal.atMost("p99", "Slowest", 3.1, 3, "×")),
            List.of(BARS),
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
    void longerBar_standsForMore() {
        List<Double> widths = page.select("figure td > span").eachAttr("style").stream()
                .map(style -> Double.valueOf(style.replaceAll("[^0-9.]", "")))
                .toList();
        // In the table's order: first ours and theirs, second ours and theirs.
        assertThat(widths).hasSize(4);
        assertThat(widths.get(2)).isEqualTo(100);
        assertThat(widths.get(0)).isBetween(widths.get(3), widths.get(2));
        assertThat(widths.get(1)).isBetween(0.1, widths.get(3));
    }

    @Test
    void logarithmicBar_ofAPowerOfTen_isLongerThanNone_andZeroHasNone() {
        assertThat(BARS.share(10)).isPositive();
        assertThat(BARS.share(0)).isZero();
        Chart one = new Chart("One", "ns", Scale.LOGARITHMIC, List.of("a"), List.of(new Series("s", List.of(100.0))));
        assertThat(one.share(100)).isEqualTo(1);
        assertThat(new Chart("None", "ns", Scale.LINEAR, List.of("a"), List.of(new Series("s", List.of(0.0)))).share(0))
                .isZero();
    }

    @Test
    void everyChart_isATableOfItsFigures() {
        assertThat(page.select("figcaption").eachText()).containsExactly("Rates");
        assertThat(page.select("figure tr").eachText())
                .containsExactly("first", "10.0", "5.00", "second", "2,000", "9.00", "per second");
        assertThat(page.select("figure tr[title]").eachAttr("title"))
                .containsExactly("ours", "theirs", "ours", "theirs");
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
