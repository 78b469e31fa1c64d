package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Prometheus on a free port of loopback, with one service to read each second. */
final class PrometheusServer implements AutoCloseable {

    private static final Pattern ADDRESS = Pattern.compile("msg=\"Listening on\" address=127\\.0\\.0\\.1:(\\d+)");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final Path log;

    private PrometheusServer(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** A program of the search path; empty where it is not installed. */
    static Optional<Path> program(String name) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static PrometheusServer start(Path program, Path folder, int service, Path rules) throws IOException {
        Path settings =
                Files.writeString(folder.resolve("prometheus.yml"), """
                global:
                  scrape_interval: 1s
                  evaluation_interval: 1s
                scrape_configs:
                  - job_name: shop
                    metrics_path: /actuator/prometheus
                    static_configs:
                      - targets: ["127.0.0.1:%d"]
                rule_files:
                  - %s
                """.formatted(service, rules.toAbsolutePath()));
        Path log = folder.resolve("prometheus.log");
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--config.file=" + settings,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:0")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        PrometheusServer server = new PrometheusServer(process, log);
        Until.until(() -> server.port().isPresent() || !process.isAlive());
        assertThat(server.port()).as(Files.readString(log)).isPresent();
        return server;
    }

    /** The result of an expression, or of a query that is no expression. */
    JsonNode query(String expression) {
        return get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
                .path("data")
                .path("result");
    }

    JsonNode get(String path) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port().orElseThrow() + path))
                    .timeout(Duration.ofSeconds(60))
                    .build();
            JsonNode answer = JSON.readTree(
                    CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body());
            assertThat(answer.path("status").asText()).as("%s", answer).isEqualTo("success");
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Optional<String> port() {
        try {
            Matcher address = ADDRESS.matcher(Files.readString(log));
            return address.find() ? Optional.of(address.group(1)) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
