package dev.latchkey.examples.quickstart;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the charts show of requests that fail, their scales, and where the tiles stand. */
class BrowserChartsIT {

    private static final String ALICE = "wonderland-tea-party";
    private static final Pattern A_NUMBER = Pattern.compile("[0-9].*");

    private Stage stage;

    @BeforeEach
    void start() {
        // Few attempts, so that the limit is met however slow the machine is.
        stage = Stage.start(
                "--latchkey.guard.limits.account-and-source[0].tokens=2",
                "--latchkey.guard.limits.account-and-source[0].per=1d");
    }

    @AfterEach
    void stop() {
        stage.close();
    }

    @Test
    void serviceThatIsGone_isToldByTheStatus_andLeavesGapsInTheCharts() {
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("alice", ALICE);
            assertThat(visit.at("#pulse-now")).hasText(A_NUMBER);
            assertThat(visit.at("[data-count=tokensChecked] .number")).hasText(A_NUMBER);
            stage.stopService();
            assertThat(visit.at("#status")).containsText("The service does not answer since");
            assertThat(visit.at("#pulse-now")).hasText("failed");
            assertThat(visit.at("[data-count=tokensChecked] .number")).hasText("–");
            assertThat(visit.at("#pulse-chart")).hasAttribute("aria-label", Pattern.compile(".*: now none, .*"));
            assertThat(visit.at("#pulse-chart .dot")).hasAttribute("d", "");
            shot(visit, "gone");
        }
    }

    @Test
    void knownAccount_meetsItsLimit() {
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("alice", ALICE);
            visit.at("#flood-account").selectOption("carol");
            visit.at("#flood-start").click();
            assertThat(visit.at("[data-status='401'] dd")).hasText(Pattern.compile("[1-9]\\d*"));
            assertThat(visit.at("[data-status='429'] dd")).hasText(Pattern.compile("[1-9]\\d*"));
            visit.at("#flood-stop").click();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 768, 1280})
    void numbersOfTilesBesideEachOther_standAtOneHeight_andChartsHaveScales(int width) {
        try (Visit visit = stage.visit(new Browser.NewContextOptions().setViewportSize(width, 900))) {
            visit.logInAndSeeTheInside("alice", ALICE);
            assertThat(visit.at("#pulse-now")).hasText(A_NUMBER);
            assertThat(visit.at("[data-count=tokensChecked] .number")).hasText(A_NUMBER);
            List<Locator> tiles = visit.at("#tiles > li").all();
            for (Locator one : tiles) {
                for (Locator other : tiles) {
                    if (one.boundingBox().y == other.boundingBox().y) {
                        assertThat(yOf(one, ".number")).isEqualTo(yOf(other, ".number"));
                        assertThat(yOf(one, ".chart")).isEqualTo(yOf(other, ".chart"));
                    }
                }
                // This page itself has tokens checked, so the scale of that tile grows with the first second.
                assertThat(one.locator(".scale"))
                        .hasText(new Pattern[] {A_NUMBER, Pattern.compile("60 s ago\\s*0, now")});
            }
            assertThat(visit.at(".lines .scale").first()).hasText("5");
            assertThat(visit.at(".lines .scale").last()).hasText("30 s ago0, now");
            shot(visit, String.valueOf(width));
        }
    }

    private static double yOf(Locator tile, String part) {
        return tile.locator(part).boundingBox().y;
    }

    /** To look at the charts: {@code -Dshots=folder}. */
    private static void shot(Visit visit, String name) {
        String folder = System.getProperty("shots", "");
        if (!folder.isEmpty()) {
            visit.shoot(Path.of(folder, name + ".png"));
        }
    }
}
