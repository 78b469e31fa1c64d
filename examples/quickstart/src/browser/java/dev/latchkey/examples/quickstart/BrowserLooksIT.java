package dev.latchkey.examples.quickstart;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What everybody can see, read and reach: colours, widths, names, the keyboard. */
class BrowserLooksIT {

    private static final String ALICE = "wonderland-tea-party";
    private static final List<Integer> WIDTHS = List.of(360, 768, 1280, 1600);

    static Stage stage;

    @BeforeAll
    static void start() {
        stage = Stage.start();
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void page_isReadable_named_andAsWideAsTheWindow(ColorScheme scheme) {
        try (Visit visit = stage.visit(new Browser.NewContextOptions().setColorScheme(scheme))) {
            visit.logIn("nobody-of-this-name", "not-the-password");
            assertThat(visit.at("#refusal")).not().isEmpty();
            holdsTheRules(visit.page());

            visit.logInAndSeeTheInside("alice", ALICE);
            assertThat(visit.at("[data-count=hashes] .number")).not().hasText("–");
            assertThat(visit.at("#logins [aria-current]")).hasCount(1);
            visit.at("#flood-start").click();
            assertThat(visit.at("#flood-tally dd")).not().hasCount(0);
            visit.at("#flood-stop").click();
            assertThat(visit.at("#flood-result")).not().isEmpty();
            holdsTheRules(visit.page());
        }
    }

    @Test
    void lightAndDark_areTwoLooks() {
        String dark = ground(ColorScheme.DARK);
        assertThat(ground(ColorScheme.LIGHT)).isNotEqualTo(dark);
    }

    @Test
    void everything_canBeDoneByKeyboard() {
        try (Visit visit = stage.visit()) {
            Page page = visit.page();
            press(page, "Tab");
            assertThat(visit.at(".skip")).isFocused();
            assertThat(visit.at(".skip")).isInViewport();
            press(page, "Enter");
            press(page, "Tab");
            assertThat(visit.at("#username")).isFocused();
            page.keyboard().type("alice");
            press(page, "Tab");
            page.keyboard().type(ALICE);
            press(page, "Enter");
            assertThat(visit.at("#token-title")).isFocused();

            for (String next : List.of("#refresh", "#use", "#logout", "#logout-everywhere")) {
                press(page, "Tab");
                assertThat(visit.at(next)).isFocused();
                assertThat(focusIsSeen(page)).as(next).isTrue();
            }
            for (int i = 0; i < 3; i++) {
                press(page, "Shift+Tab");
            }
            press(page, "Enter");
            visit.saysStatus("A new token.");
            assertThat(visit.at("#refresh")).isFocused();

            visit.at("#flood-start").focus();
            press(page, "Enter");
            assertThat(visit.at("#flood-stop")).isFocused();
            press(page, "Enter");
            assertThat(visit.at("#flood-result")).containsText("The flood is over.");
            assertThat(visit.at("#flood-start")).isFocused();

            visit.at("#logout").focus();
            press(page, "Enter");
            assertThat(visit.at("#username")).isFocused();
        }
    }

    private static void holdsTheRules(Page page) {
        assertThat((List<?>) page.evaluate(PageRules.CONTRAST)).isEmpty();
        assertThat((List<?>) page.evaluate(PageRules.STRUCTURE)).isEmpty();
        for (int width : WIDTHS) {
            page.setViewportSize(width, 900);
            assertThat((List<?>) page.evaluate(PageRules.WIDTH))
                    .as("%d px", width)
                    .isEmpty();
        }
    }

    private static String ground(ColorScheme scheme) {
        try (Visit visit = stage.visit(new Browser.NewContextOptions().setColorScheme(scheme))) {
            return (String) visit.page().evaluate("getComputedStyle(document.documentElement).backgroundColor");
        }
    }

    private static void press(Page page, String key) {
        page.keyboard().press(key);
    }

    private static boolean focusIsSeen(Page page) {
        return (boolean) page.evaluate("() => { const style = getComputedStyle(document.activeElement);"
                + " return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2; }");
    }
}
