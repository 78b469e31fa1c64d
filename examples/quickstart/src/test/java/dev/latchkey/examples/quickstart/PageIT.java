package dev.latchkey.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The served page and its requests to the service, without a browser. No account of {@link QuickstartIT} changes. */
@ExtendWith(RunningService.Shared.class)
class PageIT {

    private static final String ALICE = "wonderland-tea-party";
    private static final String ADMIN = "keeper-of-the-latchkeys";
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    static ServiceProcess service;
    static Client client;

    @BeforeAll
    static void share(RunningService running) {
        service = running.process();
        client = running.client();
    }

    @Test
    void everyFile_isServedToAnybody_withItsTypeAndTheStrictPolicy() throws Exception {
        Map<String, String> types = Map.of("js", "text/javascript", "css", "text/css", "svg", "image/svg+xml");
        for (String path : PageFiles.reached(client).keySet()) {
            HttpResponse<String> file = client.send(client.request(path));
            assertThat(file.statusCode()).as(path).isEqualTo(200);
            String type = types.getOrDefault(path.substring(path.lastIndexOf('.') + 1), "text/html");
            assertThat(header(file, "Content-Type")).as(path).startsWith(type);
            assertThat(file.headers().allValues("Content-Security-Policy"))
                    .as(path)
                    .containsExactly(POLICY);
            assertThat(header(file, "X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(header(file, "X-Frame-Options")).isEqualTo("DENY");
            assertThat(header(file, "Referrer-Policy")).isEqualTo("no-referrer");
            assertThat(header(file, "Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
            assertThat(file.headers().firstValue("Set-Cookie")).isEmpty();
        }
    }

    @Test
    void pageNamesEveryFileThatIsThere_andNoOther() throws Exception {
        assertThat(new TreeSet<>(PageFiles.reached(client).keySet())).isEqualTo(PageFiles.stored());
    }

    @Test
    void nothingIsFromAnotherHost() throws Exception {
        Pattern address = Pattern.compile("(?i)(?:[a-z]+:)?//[a-z0-9][^\\s\"')]*");
        for (Map.Entry<String, String> file : PageFiles.reached(client).entrySet()) {
            String text = file.getValue().replace("http://www.w3.org/2000/svg", "");
            // In scripts two slashes begin a comment, after which there is a space.
            assertThat(address.matcher(text).results().map(found -> found.group()))
                    .as(file.getKey())
                    .isEmpty();
        }
    }

    @Test
    void thereIsNothingInline_andNoMarkupIsMadeOfText() throws Exception {
        List<Pattern> refused = List.of(
                Pattern.compile("(?i)<script(?![^>]*\\ssrc=)"),
                Pattern.compile("(?i)<style"),
                Pattern.compile("(?i)<[^>]*\\s(?:style|on[a-z]+)\\s*="),
                Pattern.compile("(?i)javascript:"),
                Pattern.compile("innerHTML|outerHTML|insertAdjacentHTML|setHTML|document\\.write|DOMParser|srcdoc"),
                Pattern.compile("\\beval\\(|new Function|setAttribute\\('(?:style|on)"),
                Pattern.compile("localStorage\\.|sessionStorage\\.|indexedDB|document\\.cookie"));
        for (Map.Entry<String, String> file : PageFiles.reached(client).entrySet()) {
            for (Pattern pattern : refused) {
                Matcher found = pattern.matcher(file.getValue());
                assertThat(found.find()).as("%s in %s", pattern, file.getKey()).isFalse();
            }
        }
    }

    @Test
    void everythingElse_isAsClosedAsBefore() throws Exception {
        for (String path : List.of(
                "/api/me",
                "/auth/logins",
                "/actuator",
                "/actuator/counts",
                "/actuator/health",
                "/actuator/metrics",
                "/application.yaml",
                "/pages",
                "/page/..%2fapplication.yaml")) {
            assertThat(client.send(client.request(path)).statusCode()).as(path).isIn(400, 401);
        }
        HttpResponse<String> api = client.meWithToken(client.tokenOf("alice", ALICE));
        assertThat(api.headers().firstValue("Content-Security-Policy")).isEmpty();
    }

    @Test
    void user_seesOnlyTheCountsOfTheActuator() throws Exception {
        String token = client.tokenOf("alice", ALICE);
        for (String path : List.of("", "/health", "/metrics", "/env", "/latchkey", "/heapdump", "/loggers", "/beans")) {
            assertThat(get("/actuator" + path, token).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(client.counts(token))
                .matches("\\{(?:\"(?:cacheHits|hashes|secondsSaved|tokensChecked|refusedByLimits|refusedForLoad"
                        + "|refusalsHeld|hashQueue)\":[0-9.E-]+,?){8}}");
    }

    @Test
    void counts_moveWithWhatHappens() throws Exception {
        String token = client.tokenOf("alice", ALICE);
        String before = client.counts(token);
        client.tokenOf("alice", ALICE);
        client.login("nobody-who-is-counted", "not-the-password");
        String after = client.counts(token);
        assertThat(Client.count(after, "cacheHits")).isGreaterThan(Client.count(before, "cacheHits"));
        assertThat(Client.count(after, "hashes")).isGreaterThan(Client.count(before, "hashes"));
        assertThat(Client.count(after, "secondsSaved")).isGreaterThan(Client.count(before, "secondsSaved"));
        assertThat(Client.count(after, "tokensChecked")).isGreaterThan(Client.count(before, "tokensChecked"));
    }

    @Test
    void logoutEverywhere_endsEveryLoginOfTheAccount_andNoOther() throws Exception {
        String here = client.tokenOf("admin", ADMIN);
        String there = client.tokenOf("admin", ADMIN);
        String other = client.tokenOf("alice", ALICE);
        HttpResponse<String> answer = client.send(client.request("/api/me/logins")
                .header("Authorization", "Bearer " + here)
                .DELETE());
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(client.meWithToken(here).statusCode()).isEqualTo(401);
        assertThat(client.meWithToken(there).statusCode()).isEqualTo(401);
        assertThat(client.meWithToken(other).statusCode()).isEqualTo(200);
        assertThat(client.meWithToken(client.tokenOf("admin", ADMIN)).statusCode())
                .isEqualTo(200);
    }

    @Test
    void logins_haveTheNamesOfFewDevices() throws Exception {
        String browser =
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36";
        client.send(client.request("/auth/token")
                .header("Content-Type", "application/json")
                .header("User-Agent", browser)
                .POST(BodyPublishers.ofString("{\"username\":\"alice\",\"password\":\"" + ALICE + "\"}")));
        String logins = get("/auth/logins", client.tokenOf("alice", ALICE)).body();
        assertThat(logins)
                .contains("\"device\":\"Chrome\"", "\"device\":\"another program\"")
                .doesNotContain("Mozilla");
    }

    @Test
    void welcome_saysWhereThePageIs() throws Exception {
        service.awaitOutput("Open http://localhost:" + service.port() + "/ and log in as alice");
    }

    private static HttpResponse<String> get(String path, String token) throws Exception {
        return client.send(client.request(path).header("Authorization", "Bearer " + token));
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }
}
