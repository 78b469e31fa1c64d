package dev.latchkey.benchmarks.load.token;

import static dev.latchkey.benchmarks.report.Figures.show;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.benchmarks.load.token.TokenCosts.Operation;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Figures;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Series.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What the report says about tokens and the cache by themselves. */
final class PeerSection {

    private PeerSection() {}

    /** The section; the points are what a check costs with so many keys, and a hit with so many entries. */
    static Section of(String id, TokenCosts tokens, List<Point> keys, List<Point> entries) throws IOException {
        Map<String, Double> verify = tokens.byLibrary(Operation.VERIFY);
        Map<String, Double> create = tokens.byLibrary(Operation.CREATE);
        return new Section(
                id,
                "Libraries",
                "Tokens and the cache by themselves",
                "JMH, one thread. Tokens are HS256 with three claims; each library set up as its documentation says, at its"
                        + " best. The charts on growth show what more keys and more entries cost.",
                List.of(
                        peer(
                                "peers-verify",
                                "Verify a token, beside the fastest other library",
                                fastest(verify),
                                verify,
                                4),
                        peer("peers-create", "Create beside the fastest other library", fastest(create), create, 4),
                        peer("peers-verify-jjwt", "Verify a token, beside jjwt", verify.get("jjwt"), verify, 15),
                        peer("peers-create-jjwt", "Create beside jjwt", create.get("jjwt"), create, 15)),
                List.of(
                        bars("Verify a token (less is better; logarithmic)", verify),
                        bars("Create a token (less is better; logarithmic)", create),
                        bars("Refuse a forged token (less is better; logarithmic)", tokens.byLibrary(Operation.REFUSE)),
                        growth("Verify by number of keys", "keys", keys),
                        growth("Cache hit by number of entries", "entries", entries),
                        passwords()),
                tokens.tables(),
                List.of(
                        "A slope of 0 is a cost that does not grow, 1 one that grows in proportion. With many entries most of a"
                                + " hit's time is the memory's.",
                        "Every library computes the same HMAC, so the fastest of them bounds how many times as fast any other can"
                                + " be: its time beside the HMAC's in the first table."));
    }

    /** From the file that is kept: hashes take too long to measure them anew each time. */
    private static Chart passwords() throws IOException {
        Path file = Path.of(System.getProperty("benchmarks.home"), "results", "password-hashes-jdk17.json");
        List<String> labels = new ArrayList<>();
        List<Double> millis = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            JsonNode measured = new ObjectMapper().readTree(line);
            String algorithm = measured.get("measured").asText().replace("password check, ", "");
            measured.get("medianMillis").properties().forEach(library -> {
                labels.add(algorithm + ", " + library.getKey());
                millis.add(library.getValue().asDouble());
            });
        }
        return Chart.bars(
                "A password check, from benchmarks/results (less is better)",
                "milliseconds",
                Scale.LINEAR,
                labels,
                List.of(Series.of("check", millis)));
    }

    private static Goal peer(String id, String text, double theirs, Map<String, Double> scores, double target) {
        return Goal.atLeast(id, text, theirs / scores.get("latchkey"), target, "×");
    }

    private static Chart bars(String title, Map<String, Double> scores) {
        return Chart.bars(
                title,
                "nanoseconds",
                Scale.LOGARITHMIC,
                List.copyOf(scores.keySet()),
                List.of(Series.of("HS256, three claims", List.copyOf(scores.values()))));
    }

    private static Chart growth(String title, String x, List<Point> points) {
        return Chart.lines(
                title + ": slope " + show(Figures.slope(points)),
                x,
                Scale.LOGARITHMIC,
                "ns",
                Scale.LINEAR,
                List.of(new Series("Latchkey", points)));
    }

    static double fastest(Map<String, Double> scores) {
        return peers(scores).stream().min(Comparator.naturalOrder()).orElseThrow();
    }

    static double slowest(Map<String, Double> scores) {
        return peers(scores).stream().max(Comparator.naturalOrder()).orElseThrow();
    }

    private static List<Double> peers(Map<String, Double> scores) {
        List<Double> peers = new ArrayList<>();
        scores.forEach((library, score) -> {
            if (!library.equals("latchkey")) {
                peers.add(score);
            }
        });
        return peers;
    }
}
