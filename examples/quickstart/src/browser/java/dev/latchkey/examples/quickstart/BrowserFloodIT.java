package dev.latchkey.examples.quickstart;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The flood, on a service whose accounts have few attempts, so that the limit is met however slow the machine is. */
class BrowserFloodIT {

    private static final String ALICE = "wonderland-tea-party";
    private static final int MOST = 120;

    static Stage stage;

    @BeforeAll
    static void start() {
        stage = Stage.start("--latchkey.guard.limits.account[0].tokens=2", "--latchkey.guard.limits.account[0].per=1d");
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @Test
    void flood_isRefusedByALimit_andOwnRequestsAreAllAnswered() throws Exception {
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("alice", ALICE);
            assertThat(visit.at("#pulse-now")).not().hasText("–");
            visit.at("#flood-start").click();
            visit.saysStatus("The flood has started.");
            assertThat(visit.at("#flood-start")).isDisabled();
            assertThat(visit.at("#flood-stop")).isFocused();
            assertThat(visit.at("[data-status='429'] dd")).hasText(Pattern.compile("[1-9]\\d*"));
            assertThat(visit.at("[data-count=refusedByLimits] .number")).hasText(Pattern.compile("[1-9]\\d*"));

            assertThat(visit.at("#flood-result")).containsText("The flood is over.");
            assertThat(visit.loginsSent()).isLessThanOrEqualTo(MOST + 1);
            Matcher own = Pattern.compile("own (\\d+) requests meanwhile (\\d+) were answered")
                    .matcher(visit.at("#flood-result").innerText());
            assertThat(own.find()).isTrue();
            assertThat(own.group(1)).isNotEqualTo("0").isEqualTo(own.group(2));
            assertThat(visit.at("#flood-start")).isEnabled();
            assertThat(visit.at("#flood-start")).isFocused();
            // No other account's logins have paid for the flood, from this address either.
            assertThat(stage.client().login("bob", "can-we-fix-it-yes-we-can").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void flood_endsWhenItIsStopped_andWhenItsOwnerLeaves() {
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("alice", ALICE);
            visit.at("#flood-start").click();
            visit.at("#flood-stop").click();
            assertThat(visit.at("#flood-result")).containsText("The flood is over.");
            int stopped = visit.loginsSent();
            assertThat(stopped).isLessThan(MOST);

            visit.at("#flood-start").click();
            visit.at("#logout").click();
            assertThat(visit.at("#login")).isVisible();
            assertThat(visit.at("#flood-stop")).isDisabled();
            int left = visit.loginsSent();
            visit.logInAndSeeTheInside("alice", ALICE);
            assertThat(visit.at("#flood-tally dd")).hasCount(0);
            assertThat(visit.loginsSent()).isEqualTo(left + 1);
        }
    }

    @Test
    void underAnotherNameThanThisMachinesOwn_thereIsNoFlood() {
        try (Visit visit = stage.visit(Stage.OTHER_NAME, new Browser.NewContextOptions())) {
            visit.logInAndSeeTheInside("alice", ALICE);
            assertThat(visit.at("#flood-where")).isVisible();
            assertThat(visit.at("#flood-start")).isDisabled();
        }
    }
}
