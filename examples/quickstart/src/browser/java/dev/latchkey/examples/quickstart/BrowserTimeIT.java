package dev.latchkey.examples.quickstart;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.options.ReducedMotion;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What moves by itself: a token whose time runs out, and the charts. */
class BrowserTimeIT {

    private static final String ALICE = "wonderland-tea-party";

    static Stage stage;

    @BeforeAll
    static void start() {
        stage = Stage.start("--latchkey.jwt.lifetime=12s");
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @Test
    void tokenWhoseTimeIsOver_isShownAsSuch_andARefreshGoesOn() throws Exception {
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("alice", ALICE);
            assertThat(visit.at("#left")).hasText(Pattern.compile("0:\\d\\d|over"));
            assertThat(visit.at("#left")).hasText("over");
            visit.saysStatus("The time of the token is over");
            assertThat(visit.at("#rest")).hasAttribute("stroke-dasharray", "0.00 100");
            String first = visit.token();
            assertThat(stage.client().meWithToken(first).statusCode()).isEqualTo(401);
            visit.at("#use").click();
            visit.saysStatus("GET /api/me: The service refuses this token");

            visit.at("#refresh").click();
            visit.saysStatus("A new token.");
            // Whatever is asked for next is asked with the new one.
            visit.at("#logins-again").click();
            visit.saysStatus("Logins: ");
            assertThat(visit.token()).isNotEqualTo(first);
        }
    }

    @Test
    void whoWantsLittleMotion_seesEveryFifthValueDrawn_andNothingElseMoves() {
        assertThat(pathsDrawn(ReducedMotion.NO_PREFERENCE)).isEqualTo(10);
        assertThat(pathsDrawn(ReducedMotion.REDUCE)).isEqualTo(2);
        try (Visit visit = stage.visit(new Browser.NewContextOptions().setReducedMotion(ReducedMotion.REDUCE))) {
            visit.logInAndSeeTheInside("alice", ALICE);
            assertThat(visit.page().evaluate("document.getAnimations().length")).isEqualTo(0);
        }
    }

    /** How often a chart draws itself anew for ten values. */
    private static int pathsDrawn(ReducedMotion motion) {
        try (Visit visit = stage.visit(new Browser.NewContextOptions().setReducedMotion(motion))) {
            return (int) visit.page().evaluate("""
                    async () => {
                      const { Chart } = await import('/page/chart.js');
                      const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
                      const chart = new Chart(svg, 'numbers', 1);
                      const drawn = new Set();
                      const before = svg.querySelector('.line').getAttribute('d');
                      for (let value = 1; value <= 10; value += 1) {
                        chart.push(value);
                        drawn.add(svg.querySelector('.line').getAttribute('d'));
                      }
                      drawn.delete(before);
                      return drawn.size;
                    }""");
        }
    }
}
