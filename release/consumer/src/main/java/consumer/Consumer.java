package consumer;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The service of the README: starts, logs a user in, and accepts only valid tokens. */
@SpringBootApplication
public class Consumer {
    private static final Pattern TOKEN = Pattern.compile("\"access_token\":\"([^\"]+)\"");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    public static void main(String[] arguments) throws IOException, InterruptedException {
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        Path keyFile = Files.createTempFile("consumer", ".key");
        Files.writeString(keyFile, Base64.getEncoder().encodeToString(key));
        try (ConfigurableApplicationContext context = SpringApplication.run(
                Consumer.class,
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn",
                "--spring.security.user.name=alice",
                "--spring.security.user.password={noop}correct horse battery staple",
                "--latchkey.guard.trusted-proxies=none",
                "--latchkey.login.enabled=true",
                "--latchkey.jwt.secret=file:" + keyFile)) {
            String root = "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
            HttpRequest.Builder login =
                    HttpRequest.newBuilder(URI.create(root + "/auth/token")).header("Content-Type", "application/json");
            expect(401, login.POST(BodyPublishers.ofString("{\"username\":\"alice\",\"password\":\"wrong\"}")));
            String answer = expect(
                    200,
                    login.POST(BodyPublishers.ofString(
                            "{\"username\":\"alice\",\"password\":\"correct horse battery staple\"}")));
            Matcher token = TOKEN.matcher(answer);
            if (!token.find()) {
                throw new IllegalStateException("No token in the answer to a login");
            }
            HttpRequest.Builder hello = HttpRequest.newBuilder(URI.create(root + "/hello"));
            expect(401, hello);
            expect(200, hello.header("Authorization", "Bearer " + token.group(1)));
            expect(401, hello.setHeader("Authorization", "Bearer " + token.group(1) + "A"));
        } finally {
            Files.delete(keyFile);
        }
        System.out.println("Starts, logs in and takes tokens on Spring Boot " + SpringBootVersion.getVersion());
    }

    private static String expect(int status, HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpRequest asked = request.timeout(Duration.ofSeconds(60)).build();
        HttpResponse<String> answer = CLIENT.send(asked, BodyHandlers.ofString());
        if (answer.statusCode() != status) {
            throw new IllegalStateException(
                    asked.uri() + " answers " + answer.statusCode() + " where " + status + " is right");
        }
        return answer.body();
    }

    @RestController
    static class Hello {
        @GetMapping("/hello")
        String hello() {
            return "hello";
        }
    }
}
