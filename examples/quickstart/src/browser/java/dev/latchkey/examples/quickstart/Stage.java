package dev.latchkey.examples.quickstart;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A packaged service and a Chromium, for any number of visits one after the other. */
final class Stage implements AutoCloseable {

    /** A name that is not one of this machine's own, and leads to it all the same. */
    static final String OTHER_NAME = "quickstart.example";

    /** Long enough for a machine that is busy with other things: a test waits for what it asks for, and seldom as long. */
    static final double PATIENCE_MILLIS = Duration.ofSeconds(90).toMillis();

    private final ServiceProcess service;
    private final Playwright playwright;
    private final Browser browser;

    private Stage(ServiceProcess service, Playwright playwright, Browser browser) {
        this.service = service;
        this.playwright = playwright;
        this.browser = browser;
    }

    static Stage start(String... arguments) {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        try {
            Path folder = Files.createTempDirectory("quickstart");
            ServiceProcess service = ServiceProcess.start(folder, arguments);
            Playwright playwright = Playwright.create(options());
            return new Stage(service, playwright, playwright.chromium().launch(launch()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** With {@code -Dbrowser.executable} it is a browser that is there; else Playwright downloads one of its own once. */
    private static Playwright.CreateOptions options() {
        return new Playwright.CreateOptions()
                .setEnv(executable().isEmpty() ? Map.of() : Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"));
    }

    private static BrowserType.LaunchOptions launch() {
        BrowserType.LaunchOptions launch = new BrowserType.LaunchOptions()
                .setTimeout(PATIENCE_MILLIS)
                .setArgs(List.of("--host-resolver-rules=MAP " + OTHER_NAME + " 127.0.0.1"));
        return executable().isEmpty() ? launch : launch.setExecutablePath(Path.of(executable()));
    }

    private static String executable() {
        return System.getProperty("browser.executable", "");
    }

    Client client() {
        return new Client(service.port());
    }

    /** The browser stays. */
    void stopService() {
        service.close();
    }

    /** A browser without a history here. */
    Visit visit(String host, Browser.NewContextOptions options) {
        return new Visit(browser.newContext(options), "http://" + host + ":" + service.port());
    }

    Visit visit(Browser.NewContextOptions options) {
        return visit("localhost", options);
    }

    Visit visit() {
        return visit(new Browser.NewContextOptions());
    }

    @Override
    public void close() {
        playwright.close();
        service.close();
    }
}
