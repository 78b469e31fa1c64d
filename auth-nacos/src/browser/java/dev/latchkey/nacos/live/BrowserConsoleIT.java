package dev.latchkey.nacos.live;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an administrator does on the console's own pages, in a real Chromium. Pictures are in {@code target/console}. */
@ExtendWith(SharedServer.class)
final class BrowserConsoleIT {

    private static final double PATIENCE = Duration.ofSeconds(30).toMillis();
    private static final Path PICTURES =
            Path.of(System.getProperty("nacos.work")).resolveSibling("console");

    private final NacosServer server;
    private Playwright playwright;
    private Page page;

    BrowserConsoleIT(NacosServer server) {
        this.server = server;
    }

    @BeforeEach
    void open() {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE);
        String executable = System.getProperty("browser.executable", "");
        playwright = Playwright.create(new Playwright.CreateOptions()
                .setEnv(executable.isEmpty() ? Map.of() : Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        BrowserType.LaunchOptions launch = new BrowserType.LaunchOptions().setTimeout(PATIENCE);
        Browser browser = playwright
                .chromium()
                .launch(executable.isEmpty() ? launch : launch.setExecutablePath(Path.of(executable)));
        page = browser.newContext(
                        new Browser.NewContextOptions().setLocale("en-US").setViewportSize(1_280, 900))
                .newPage();
        page.setDefaultTimeout(PATIENCE);
    }

    @AfterEach
    void close() {
        playwright.close();
    }

    @Test
    void administrator_makesAUser_andChangesItsPassword() {
        page.navigate(console("/"));
        logIn("nacos", "wrong-password");
        assertThat(page.getByText("invalid username or password")).isVisible();
        shoot("wrong-password");
        logIn("nacos", SharedServer.ADMIN_PASSWORD);
        assertThat(page.locator(".header-body .logout")).hasText("nacos");
        shoot("inside");

        open("userManagement", "User Management");
        page.getByText("Create user").click();
        dialog().locator("#username").fill("browser-user");
        fillPassword("first-password");
        shoot("new-user");
        confirm();
        assertThat(row("browser-user")).isVisible();
        assertThat(statusOf("browser-user", "first-password")).isEqualTo(200);

        row("browser-user").getByText("Edit").click();
        fillPassword("second-password");
        shoot("new-password");
        confirm();
        assertThat(dialog()).hasCount(0);
        assertThat(statusOf("browser-user", "first-password")).isEqualTo(403);
        assertThat(statusOf("browser-user", "second-password")).isEqualTo(200);
        logOut();
    }

    private void logIn(String username, String password) {
        page.getByPlaceholder("Please input username").fill(username);
        page.getByPlaceholder("Please input password").fill(password);
        page.getByText("Submit").click();
    }

    private void logOut() {
        page.locator(".header-body .logout").hover();
        shoot("menu");
        page.getByText("logout", new Page.GetByTextOptions().setExact(true)).click();
        assertThat(page.getByPlaceholder("Please input password")).isVisible();
        assertThat(String.valueOf(page.evaluate("localStorage.getItem('token')")))
                .isIn("null", "{}");
        shoot("logged-out");
    }

    private void open(String path, String title) {
        page.navigate(console("/#/" + path));
        assertThat(page.getByText(title).first()).isVisible();
    }

    private Locator dialog() {
        return page.locator(".next-dialog");
    }

    private void fillPassword(String password) {
        dialog().locator("#password").fill(password);
        dialog().locator("#rePassword").fill(password);
    }

    private void confirm() {
        dialog().locator(".next-dialog-footer button").first().click();
    }

    private Locator row(String text) {
        return page.locator("tr", new Page.LocatorOptions().setHasText(text)).first();
    }

    private int statusOf(String username, String password) {
        return server.http().from("192.0.2.90").login(username, password).status();
    }

    private String console(String path) {
        return server.console().address() + path;
    }

    private void shoot(String name) {
        page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve(name + ".png")));
    }
}
