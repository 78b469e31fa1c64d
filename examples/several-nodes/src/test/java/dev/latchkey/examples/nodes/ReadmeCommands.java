package dev.latchkey.examples.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * The commands of the README, played as a shell would: assignments, {@code curl}, and {@code jq}. A number in a comment is the
 * status of the previous answer; with "soon", the status in the end. Any other line fails, so no line is overlooked.
 */
final class ReadmeCommands {

    private static final Pattern BLOCK = Pattern.compile("(?s)```sh\\n(.*?)```");
    private static final Pattern ASSIGNMENT = Pattern.compile("([a-z]+)=(.*)");
    private static final Pattern TAKEN = Pattern.compile("\\$\\((curl .*) \\| jq -r '?(\\.[a-z_.\\[\\]0-9]+)'?\\)");
    private static final Pattern WORD = Pattern.compile("(?:'([^']*)'|\"([^\"]*)\"|[^\\s'\"])+");
    private static final Pattern VARIABLE = Pattern.compile("\\$([a-z]+)");
    private static final Pattern STATUS = Pattern.compile("# (\\d{3})( soon)?");
    private static final Duration SOON = Duration.ofSeconds(30);

    private final HttpClient http = HttpClient.newHttpClient();
    private final JsonMapper json = new JsonMapper();
    private final Map<String, String> given;
    private final Map<String, String> variables = new HashMap<>();
    private final List<Integer> statuses = new ArrayList<>();
    private String lastCommand = "";
    private int lastStatus;

    private ReadmeCommands(Map<String, String> given) {
        this.given = given;
    }

    /**
     * Plays the commands.
     *
     * @param given values of variables, in place of the values in the README
     * @return the expected statuses, all of which came
     */
    static List<Integer> play(Map<String, String> given) throws IOException, InterruptedException {
        Matcher block = BLOCK.matcher(Files.readString(Path.of("README.md")));
        assertThat(block.find()).isTrue();
        ReadmeCommands shell = new ReadmeCommands(given);
        for (String line : block.group(1).lines().toList()) {
            shell.play(line);
        }
        return shell.statuses;
    }

    private void play(String line) throws IOException, InterruptedException {
        Matcher assignment = ASSIGNMENT.matcher(line);
        Matcher status = STATUS.matcher(line);
        if (line.startsWith("curl ")) {
            lastCommand = line;
            lastStatus = curl(line).statusCode();
        } else if (status.matches()) {
            int expected = Integer.parseInt(status.group(1));
            if (status.group(2) != null) {
                repeatUntil(expected);
            }
            assertThat(lastStatus).as("after %s", lastCommand).isEqualTo(expected);
            statuses.add(lastStatus);
        } else if (assignment.matches()) {
            variables.put(assignment.group(1), valueOf(assignment.group(1), assignment.group(2)));
        } else {
            assertThat(line).matches("(?:#.*)?");
        }
    }

    private void repeatUntil(int expected) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (lastStatus != expected && System.nanoTime() - begun < SOON.toNanos()) {
            lastStatus = curl(lastCommand).statusCode();
        }
    }

    private String valueOf(String name, String text) throws IOException, InterruptedException {
        Matcher taken = TAKEN.matcher(text);
        if (given.containsKey(name)) {
            return given.get(name);
        } else if (!taken.matches()) {
            return words(text).get(0);
        }
        String body = curl(taken.group(1)).body();
        String pointer = taken.group(2).replace('.', '/').replace("[", "/").replace("]", "");
        String value = json.readTree(body).at(pointer).asString();
        assertThat(value).as("%s in %s", taken.group(2), body).isNotEmpty();
        return value;
    }

    private HttpResponse<String> curl(String command) throws IOException, InterruptedException {
        List<String> words = words(command);
        HttpRequest.Builder request = HttpRequest.newBuilder().timeout(Duration.ofSeconds(30));
        String method = "GET";
        String body = "";
        for (int i = 1; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-s" -> {}
                case "-X" -> method = words.get(++i);
                case "-H" -> {
                    String[] field = words.get(++i).split(": ", 2);
                    request.setHeader(field[0], field[1]);
                }
                case "-d" -> {
                    method = "POST";
                    body = words.get(++i);
                    request.setHeader("Content-Type", "application/x-www-form-urlencoded");
                }
                default -> request.uri(URI.create(words.get(i)));
            }
        }
        return http.send(request.method(method, BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    /** As a shell splits words: single quotes keep everything, double quotes and bare words replace variables. */
    private List<String> words(String text) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(text);
        while (word.find()) {
            String whole = word.group();
            words.add(whole.startsWith("'") ? word.group(1) : withVariables(whole.replace("\"", "")));
        }
        return words;
    }

    private String withVariables(String word) {
        return VARIABLE.matcher(word).replaceAll(found -> {
            assertThat(variables).containsKey(found.group(1));
            return Matcher.quoteReplacement(variables.get(found.group(1)));
        });
    }
}
