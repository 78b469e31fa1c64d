package dev.latchkey.examples.quickstart;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A passkey of Chromium's virtual authenticator, as a second step and as the only factor. */
class BrowserPasskeyIT {

    private static final String BOB = "can-we-fix-it-yes-we-can";
    private static final String CAROL = "a-carol-for-every-season";

    static Stage stage;

    @BeforeAll
    static void start() throws IOException {
        stage = Stage.start("--server.port=" + freePort());
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    /** A passkey belongs to one address, so the service must know its port at the start. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** A platform authenticator whose owner always agrees. */
    private static CDPSession authenticatorOf(Visit visit, boolean isUserVerified) {
        CDPSession chromium = visit.page().context().newCDPSession(visit.page());
        chromium.send("WebAuthn.enable", new JsonObject());
        JsonObject options = new JsonObject();
        options.addProperty("protocol", "ctap2");
        options.addProperty("transport", "internal");
        options.addProperty("hasResidentKey", true);
        options.addProperty("hasUserVerification", true);
        options.addProperty("isUserVerified", isUserVerified);
        options.addProperty("automaticPresenceSimulation", true);
        JsonObject arguments = new JsonObject();
        arguments.add("options", options);
        chromium.send("WebAuthn.addVirtualAuthenticator", arguments);
        return chromium;
    }

    private static void register(Visit visit, String password) {
        visit.at("#passkey-password").fill(password);
        visit.at("#passkey-form button").click();
        visit.saysStatus("A new passkey.");
        assertThat(visit.at("#passkeys li")).hasCount(1);
    }

    @Test
    void passkey_isASecondStep_andLogsInAlone() {
        try (Visit visit = stage.visit()) {
            CDPSession chromium = authenticatorOf(visit, true);
            visit.logInAndSeeTheInside("bob", BOB);
            assertThat(visit.at("#passkeys li")).hasCount(0);
            register(visit, BOB);
            visit.shoot(Path.of("target", "passkeys-inside.png"));

            visit.at("#logout").click();
            visit.logIn("bob", BOB);
            assertThat(visit.at("#key-use")).isFocused();
            assertThat(visit.at("#login")).isHidden();
            assertThat((List<?>) visit.page().evaluate(PageRules.CONTRAST)).isEmpty();
            assertThat((List<?>) visit.page().evaluate(PageRules.STRUCTURE)).isEmpty();
            visit.shoot(Path.of("target", "passkeys-step.png"));
            visit.at("#key-use").click();
            assertThat(visit.at("#inside")).isVisible();
            assertThat(visit.at("#token-claims")).containsText("pwd");
            assertThat(visit.at("#token-claims")).containsText("hwk");

            visit.at("#logout").click();
            visit.at("#passkey-login").click();
            assertThat(visit.at("#inside")).isVisible();
            assertThat(visit.at("#who")).hasText("bob");
            assertThat(visit.at("#token-claims")).containsText("hwk");
            assertThat(visit.at("#token-claims")).not().containsText("pwd");
            chromium.detach();
        }
    }

    @Test
    void browserWithoutThePasskey_logsInByNeitherWay() {
        try (Visit owner = stage.visit()) {
            authenticatorOf(owner, true);
            owner.logInAndSeeTheInside("carol", CAROL);
            register(owner, CAROL);
        }
        try (Visit visit = stage.visit()) {
            authenticatorOf(visit, true);
            visit.at("#passkey-login").click();
            assertThat(visit.at("#refusal")).containsText("no passkey for this service");
            visit.logIn("carol", CAROL);
            visit.at("#key-use").click();
            assertThat(visit.at("#refusal")).containsText("no passkey of this account");
            assertThat(visit.at("#inside")).isHidden();
            visit.at("#key-again").click();
            assertThat(visit.at("#username")).isFocused();
        }
    }
}
