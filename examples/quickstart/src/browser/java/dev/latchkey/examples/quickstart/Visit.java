package dev.latchkey.examples.quickstart;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;

/**
 * One person's look at the page. Whatever the page does wrong meanwhile fails the test when the visit ends: errors of its scripts, what its
 * policy has refused, a request to another host, something kept in cookies or storage.
 */
final class Visit implements AutoCloseable {

    private final BrowserContext context;
    private final Page page;
    private final String base;
    private final List<String> complaints = new ArrayList<>();
    private final List<String> loginsSent = new ArrayList<>();
    private String lastToken = "";

    Visit(BrowserContext context, String base) {
        this.context = context;
        this.base = base;
        context.setDefaultTimeout(Stage.PATIENCE_MILLIS);
        context.addInitScript("addEventListener('securitypolicyviolation', event => "
                + "console.error(`policy: ${event.effectiveDirective} ${event.blockedURI}`))");
        this.page = context.newPage();
        page.onConsoleMessage(this::heard);
        page.onPageError(error -> complaints.add("script: " + error));
        page.onRequest(this::sent);
        page.navigate(base + "/");
    }

    Page page() {
        return page;
    }

    Locator at(String selector) {
        return page.locator(selector);
    }

    /** Takes a picture of the whole page. */
    void shoot(Path file) {
        page.screenshot(new Page.ScreenshotOptions().setFullPage(true).setPath(file));
    }

    /** The one among several that has this text. */
    Locator at(String selector, String text) {
        return page.locator(selector).filter(new Locator.FilterOptions().setHasText(text));
    }

    void logIn(String username, String password) {
        at("#username").fill(username);
        at("#password").fill(password);
        at("#login button.main").click();
    }

    void logInAndSeeTheInside(String username, String password) {
        logIn(username, password);
        assertThat(at("#inside")).isVisible();
    }

    void saysStatus(String text) {
        assertThat(at("#status")).containsText(text);
    }

    /** The access token of the last request that had one. */
    String token() {
        return lastToken;
    }

    int loginsSent() {
        return loginsSent.size();
    }

    private void sent(Request request) {
        if (!request.url().startsWith(base + "/")) {
            complaints.add("request to " + request.url());
        }
        if (request.url().endsWith("/auth/token")) {
            loginsSent.add(request.url());
        }
        String authorization = request.headers().get("authorization");
        if (authorization != null) {
            lastToken = authorization.substring("Bearer ".length());
        }
    }

    /** Chromium writes a line for each answer that is 4xx or 5xx; from the API these are part of what is tested. */
    private void heard(ConsoleMessage message) {
        boolean isAnswer = message.text()
                        .matches(
                                "Failed to load resource: (the server responded with a status of|net::ERR_CONNECTION_).*")
                && (message.location().contains("/auth/")
                        || message.location().contains("/api/")
                        || message.location().contains("/actuator/counts"));
        if (!isAnswer && List.of("error", "warning").contains(message.type())) {
            complaints.add(message.type() + ": " + message.text());
        }
    }

    @Override
    public void close() {
        Object stored = page.evaluate("localStorage.length + sessionStorage.length");
        List<?> cookies = context.cookies();
        context.close();
        Assertions.assertThat(complaints).isEmpty();
        Assertions.assertThat(stored).as("kept in storage").isEqualTo(0);
        Assertions.assertThat(cookies).isEmpty();
    }
}
