package dev.latchkey.nacos.live;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.latchkey.nacos.AuthenticatorApp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an administrator does on the console's own pages, in a real Chromium. Pictures are in {@code target/console}. */
final class BrowserConsoleIT {

    private static final double PATIENCE = Duration.ofSeconds(30).toMillis();

    /** Without the items of the page's menu, which have the same class. */
    private static final String PROPOSALS = ".next-overlay-wrapper .next-menu-item:visible";

    private static final Path PICTURES =
            Path.of(System.getProperty("nacos.work")).resolveSibling("console");

    @TempDir
    private static Path folder;

    private static NacosServer server;
    private Playwright playwright;
    private Page page;

    @BeforeAll
    static void start() throws Exception {
        Path codes = Files.writeString(folder.resolve("codes"), "coded " + AuthenticatorApp.SECRET + "\n");
        server = SharedServer.withAdmin(NacosServer.fresh(NacosServer.Kind.LATCHKEY)
                .setOwn("trusted.proxies", "127.0.0.1")
                .setOwn("sources", "users,codes")
                .setOwn("plugin.codes.file", codes.toString())
                .start());
        SharedServer.admin(server).post("/v3/auth/user", "username", "coded", "password", "coded-password");
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
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
    void accountWithCodes_typesTheCodeBehindThePassword() {
        page.navigate(console("/"));
        logIn("coded", "coded-password");
        assertThat(page.getByText("invalid username or password")).isVisible();
        logIn("coded", "coded-password" + AuthenticatorApp.code(0));
        assertThat(page.locator(".header-body .logout")).hasText("coded");
        shoot("inside-by-a-code");
    }

    @Test
    void administrator_makesAUser_changesItsPassword_andGivesItPermissions() {
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

        givePermission("browser-user", "browser-role");
        logOut();
    }

    /** The pages of roles and permissions. The server reads both by and by. */
    private void givePermission(String username, String role) {
        NacosHttp user = server.http()
                .as(server.http().login(username, "second-password").token());
        assertThat(user.config("G", "permitted").status()).isEqualTo(403);

        open("rolesManagement", "Role management");
        page.getByText("Binding roles").first().click();
        dialog().locator("#role").fill(role);
        type("#username", username);
        shoot("new-role");
        confirm();
        assertThat(row(role)).isVisible();

        open("permissionsManagement", "Permissions Management");
        page.getByText("Add Permission").first().click();
        type("#role", role);
        choose("Resource", "public");
        choose("Action", "read only");
        shoot("new-permission");
        confirm();
        assertThat(row(role)).isVisible();
        shoot("permissions");
        SharedServer.admin(server).publish("G", "permitted", "text");
        Await.until("the permission counts", () -> user.config("G", "permitted").status() == 200);
        assertThat(user.publish("G", "permitted", "changed").status()).isEqualTo(403);
    }

    /** Types into a field that proposes what the server knows, and takes the proposal: an open list lies over the next field. */
    private void type(String field, String text) {
        dialog().locator(field).fill(text);
        proposed(text).click();
        assertThat(page.locator(PROPOSALS)).hasCount(0);
    }

    private Locator proposed(String text) {
        return page.locator(PROPOSALS, new Page.LocatorOptions().setHasText(text))
                .first();
    }

    private void choose(String field, String option) {
        // The page draws a field's placeholder beside a hidden copy, so the field is named by its label.
        dialog().locator(".next-form-item", new Locator.LocatorOptions().setHasText(field))
                .locator(".next-select")
                .click();
        proposed(option).click();
        assertThat(page.locator(PROPOSALS)).hasCount(0);
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
