package dev.latchkey.auth.spring;

import dev.latchkey.auth.spring.token.LatchkeyJwtDecoderAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyResourceServerAutoConfiguration;
import java.io.IOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A service with the starter on a real server (on servlets a Tomcat of eight threads), and a client. Loopback is a trusted
 * proxy: {@code X-Forwarded-For} names the client IP, otherwise loopback does.
 */
final class GuardServer implements AutoCloseable {

    private static final Map<String, Object> PROPERTIES = Map.of(
            "server.port", "0",
            "server.tomcat.threads.max", "8",
            "spring.main.banner-mode", "off",
            "logging.level.root", "warn",
            // Limits here refuse by number, not by the speed of this machine.
            "latchkey.guard.max-wait", "60s",
            "latchkey.guard.limits.account-and-source[0].tokens", "5",
            "latchkey.guard.limits.account-and-source[0].per", "1d",
            "latchkey.guard.trusted-proxies", "127.0.0.0/8",
            "latchkey.guard.refusals.delay", "10ms");

    /** A quarter of these threads may wait for logins. */
    static final String ONE_WAITS = "--server.tomcat.threads.max=7";

    /** For services whose chain takes no bearer tokens. */
    static final String NO_RESOURCE_SERVER = "--spring.autoconfigure.exclude=${tests.left-out},"
            + LatchkeyResourceServerAutoConfiguration.class.getName() + ","
            + LatchkeyJwtDecoderAutoConfiguration.class.getName();

    private final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .cookieHandler(new CookieManager(null, CookiePolicy.ACCEPT_ALL))
            .build();

    private GuardServer(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static GuardServer start(Class<?> service, String... arguments) {
        return start(WebApplicationType.SERVLET, service, arguments);
    }

    static GuardServer start(WebApplicationType type, Class<?> service, String... arguments) {
        SpringApplication application = new SpringApplication(service);
        application.setWebApplicationType(type);
        application.setDefaultProperties(PROPERTIES);
        return new GuardServer(application.run(arguments));
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    int port() {
        return Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port"));
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(60));
    }

    static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    HttpResponse<String> get(String path, String user, String password) throws IOException, InterruptedException {
        return send(request(path).header("Authorization", basic(user, password)));
    }

    /** From this address, as a proxy tells it. */
    HttpResponse<String> get(String path, String user, String password, String from)
            throws IOException, InterruptedException {
        return send(request(path).header("Authorization", basic(user, password)).header("X-Forwarded-For", from));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> getLater(String path, String user, String password) {
        return later(request(path).header("Authorization", basic(user, password)));
    }

    CompletableFuture<HttpResponse<String>> later(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** By the login endpoint. */
    CompletableFuture<HttpResponse<String>> login(String user, String password) {
        return later(loginRequest(user, password));
    }

    /** By the login endpoint, from this address. */
    CompletableFuture<HttpResponse<String>> login(String user, String password, String from) {
        return later(loginRequest(user, password).header("X-Forwarded-For", from));
    }

    HttpRequest.Builder loginRequest(String user, String password) {
        return request("/auth/token")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"username\":\"" + user + "\",\"password\":\"" + password + "\"}"));
    }

    @Override
    public void close() {
        context.close();
    }
}
