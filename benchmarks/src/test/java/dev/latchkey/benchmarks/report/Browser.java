package dev.latchkey.benchmarks.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** A real browser without a window, if this machine has one. */
final class Browser {

    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome");
    private static final long SECONDS = 120;

    /** What a page became in the browser, and what the browser had to say about it. */
    record Looked(Document page, String console) {}

    private final Path program;

    private Browser(Path program) {
        this.program = program;
    }

    static Optional<Browser> find() {
        Stream<Path> folders = Arrays.stream(
                        Optional.ofNullable(System.getenv("PATH")).orElse("").split(java.io.File.pathSeparator))
                .map(Path::of);
        return folders.flatMap(folder -> NAMES.stream().map(folder::resolve))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Browser::new);
    }

    /** Opens the file in a window of this width and gives the document as it is then. */
    Looked look(Path page, int width, Path scratch) throws IOException, InterruptedException {
        Path dom = scratch.resolve("dom-" + width + ".html");
        Path log = scratch.resolve("log-" + width + ".txt");
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--enable-logging=stderr",
                "--user-data-dir=" + scratch.resolve("profile-" + width),
                "--window-size=" + width + ",900",
                "--dump-dom",
                page.toUri().toString()));
        Process process = new ProcessBuilder(command)
                .redirectOutput(dom.toFile())
                .redirectError(log.toFile())
                .start();
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("The browser did not finish");
        }
        return new Looked(
                Jsoup.parse(Files.readString(dom, StandardCharsets.UTF_8)),
                Files.readString(log, StandardCharsets.UTF_8));
    }
}
