package dev.latchkey.examples.quickstart;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Route;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Coming in, going on and leaving, as a person does it. */
class BrowserLoginIT {

    private static final String ALICE = "wonderland-tea-party";
    private static final String BOB = "can-we-fix-it-yes-we-can";
    private static final String CAROL = "a-carol-for-every-season";
    private static final String DAVE = "open-the-door-please-hal";
    private static final String ADMIN = "keeper-of-the-latchkeys";

    static Stage stage;
    static Client client;

    @BeforeAll
    static void start() {
        stage = Stage.start();
        client = stage.client();
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @Test
    void login_showsTheTokenTakenApart_andNeitherItNorThePassword() throws Exception {
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("alice", ALICE);
            visit.saysStatus("You are logged in.");
            assertThat(visit.at("#token-title")).isFocused();
            assertThat(visit.at("#who")).hasText("alice");
            assertThat(visit.at("#token-header")).containsText("HS256");
            assertThat(visit.at("#token-claims")).containsText("latchkey-quickstart");
            assertThat(visit.at("#token-claims")).containsText("ROLE_USER");
            assertThat(visit.at("#left")).hasText(Pattern.compile("(?:60:00|5\\d:\\d\\d)"));
            assertThat(visit.at("#outside")).isHidden();

            visit.at("#use").click();
            visit.saysStatus("GET /api/me: you are alice");
            String signature = visit.token().substring(visit.token().lastIndexOf('.') + 1);
            assertThat(visit.page().content()).doesNotContain(signature);
            assertThat(visit.at("#password").inputValue()).isEmpty();
            assertThat(client.meWithToken(visit.token()).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void pageThatIsLoadedAgain_hasForgottenTheLogin() {
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("alice", ALICE);
            visit.page().reload();
            assertThat(visit.at("#login")).isVisible();
            assertThat(visit.at("#inside")).isHidden();
        }
    }

    @Test
    void wrongPassword_isSaid_andIsGoneFromTheForm() {
        try (Visit visit = stage.visit()) {
            visit.logIn("admin", "not-the-password");
            assertThat(visit.at("#refusal")).hasText("The account or the password is wrong.");
            assertThat(visit.at("#password")).isFocused();
            assertThat(visit.at("#password")).hasValue("");
            assertThat(visit.at("#username")).hasValue("admin");
            assertThat(visit.at("#inside")).isHidden();

            visit.logInAndSeeTheInside("admin", ADMIN);
            assertThat(visit.at("#refusal")).isHidden();
        }
    }

    @Test
    void accountWithCodes_isAskedForOne_andAWrongOneBeginsAgain() throws Exception {
        String secret = enrolledDave();
        try (Visit visit = stage.visit()) {
            visit.logIn("dave", DAVE);
            assertThat(visit.at("#code")).isFocused();
            assertThat(visit.at("#login")).isHidden();
            visit.at("#code").fill("no code");
            visit.page().keyboard().press("Enter");
            assertThat(visit.at("#refusal")).containsText("That code was not right");
            assertThat(visit.at("#username")).isFocused();

            visit.logIn("dave", DAVE);
            visit.at("#code").fill(Phone.code(secret, 1));
            visit.at("#step button.main").click();
            assertThat(visit.at("#inside")).isVisible();
            assertThat(visit.at("#token-claims")).containsText("otp");
        }
    }

    @Test
    void refresh_bringsAnotherToken_ofTheSameLogin() {
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("alice", ALICE);
            assertThat(visit.at("#logins [aria-current]")).hasCount(1);
            String first = visit.token();
            visit.at("#refresh").click();
            visit.saysStatus("A new token.");
            visit.at("#use").click();
            visit.saysStatus("GET /api/me: you are alice");
            assertThat(visit.token()).isNotEqualTo(first);
            assertThat(visit.at("#logins [aria-current]")).hasCount(1);
        }
    }

    @Test
    void refreshThatIsAnsweredLate_doesNotReplaceTheLoginOfAnotherPerson() {
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("alice", ALICE);
            List<Route> held = new ArrayList<>();
            visit.page().route("**/auth/token", route -> {
                if (held.isEmpty()) {
                    held.add(route);
                } else {
                    route.resume();
                }
            });
            visit.at("#refresh").click();
            visit.page().waitForCondition(() -> !held.isEmpty());
            Route refresh = held.get(0);
            APIResponse answer = refresh.fetch();
            visit.at("#logout").click();
            visit.saysStatus("Logged out here");

            visit.logInAndSeeTheInside("bob", BOB);
            visit.page()
                    .waitForResponse(
                            "**/auth/token", () -> refresh.fulfill(new Route.FulfillOptions().setResponse(answer)))
                    .finished();
            visit.at("#use").click();
            visit.saysStatus("GET /api/me: you are bob");
            assertThat(visit.at("#who")).hasText("bob");
        }
    }

    @Test
    void logoutHere_endsThisToken_andOthersStay() throws Exception {
        String other = client.tokenOf("alice", ALICE);
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("alice", ALICE);
            visit.at("#logout").click();
            visit.saysStatus("Logged out here");
            assertThat(visit.at("#username")).isFocused();
            assertThat(visit.at("#token-claims dd")).hasCount(0);
            assertThat(client.meWithToken(visit.token()).statusCode()).isEqualTo(401);
            assertThat(client.meWithToken(other).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void logoutEverywhere_endsTheOthersToo() throws Exception {
        String other = client.tokenOf("bob", BOB);
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("bob", BOB);
            visit.at("#logout-everywhere").click();
            visit.saysStatus("Logged out everywhere");
            assertThat(visit.at("#login")).isVisible();
            assertThat(client.meWithToken(visit.token()).statusCode()).isEqualTo(401);
            assertThat(client.meWithToken(other).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void loginOfAnotherDevice_isListed_andCanBeEnded() throws Exception {
        String other = client.tokenOf("carol", CAROL);
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("carol", CAROL);
            assertThat(visit.at("#logins [aria-current]")).containsText("Chrome");
            assertThat(visit.at("#logins li", "another program")).hasCount(1);
            visit.at("#logins li", "another program").locator("button").click();
            visit.saysStatus("That login has ended.");
            assertThat(visit.at("#logins-title")).isFocused();
            assertThat(visit.at("#logins li", "another program")).hasCount(0);
            assertThat(client.meWithToken(other).statusCode()).isEqualTo(401);
            visit.at("#use").click();
            visit.saysStatus("GET /api/me: you are carol");
        }
    }

    @Test
    void loginThatIsEndedElsewhere_isNoticed_andCannotBeProlonged() throws Exception {
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("admin", ADMIN);
            assertThat(visit.at("#logins [aria-current]")).hasCount(1);
            client.send(client.request("/api/me/logins")
                    .header("Authorization", "Bearer " + visit.token())
                    .DELETE());
            assertThat(visit.at("#left")).hasText("over");
            visit.saysStatus("Refresh it to go on");
            assertThat(visit.at("#flood-start")).isDisabled();
            visit.at("#refresh").click();
            visit.saysStatus("This login has ended");
            assertThat(visit.at("#login")).isVisible();
        }
    }

    @Test
    void counts_areDrawnWhileThePageIsLookedAt() {
        try (Visit visit = stage.visit()) {
            visit.logInAndSeeTheInside("alice", ALICE);
            assertThat(visit.at("#tiles li")).hasCount(8);
            assertThat(visit.at("[data-count=tokensChecked] .number")).not().hasText("–");
            assertThat(visit.at("[data-count=tokensChecked] .line")).hasAttribute("d", Pattern.compile("M.*L.*L.*"));
            assertThat(visit.at("[data-count=tokensChecked] svg"))
                    .hasAttribute("aria-label", Pattern.compile("Tokens checked, each second: now .*"));
            assertThat(visit.at("[data-count=hashes] .number")).hasText(Pattern.compile("[1-9]\\d*"));
        }
    }

    private static String enrolledDave() throws Exception {
        String token = client.tokenOf("dave", DAVE);
        Matcher secret = Pattern.compile("\"secret\":\"([A-Z2-7]+)\"")
                .matcher(post("/auth/codes", token, "{\"password\":\"" + DAVE + "\"}")
                        .body());
        assertThat(secret.find()).isTrue();
        String code = Phone.code(secret.group(1), 0);
        assertThat(post("/auth/codes/confirm", token, "{\"code\":\"" + code + "\"}")
                        .statusCode())
                .isEqualTo(200);
        return secret.group(1);
    }

    private static HttpResponse<String> post(String path, String token, String json) throws Exception {
        return client.send(client.request(path)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json)));
    }
}
