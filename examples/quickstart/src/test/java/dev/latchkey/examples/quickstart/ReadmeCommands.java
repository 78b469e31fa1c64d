package dev.latchkey.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The commands of the README, played as a shell would: assignments, {@code curl}, and {@code jq}. A number in a comment is the
 * status of the previous answer. Any other line fails, so no line is overlooked. No program needs to be installed.
 */
final class ReadmeCommands {

    private static final Pattern BLOCK = Pattern.compile("(?s)## Permissions and one-time codes.*?```sh\\n(.*?)```");
    private static final Pattern ASSIGNMENT = Pattern.compile("([a-z]+)=(.*)");
    private static final Pattern TAKEN = Pattern.compile("\\$\\((curl .*) \\| jq -r '?\\.([a-z_]+)(\\[0])?'?\\)");
    private static final Pattern WORD = Pattern.compile("(?:'([^']*)'|\"((?:[^\"\\\\]|\\\\.)*)\"|[^\\s'\"])+");
    private static final Pattern VARIABLE = Pattern.compile("\\$([a-z]+)");

    private final Client client;
    private final Map<String, String> variables = new HashMap<>();
    private final List<Integer> statuses = new ArrayList<>();
    private int codesShown;
    private int last;

    private ReadmeCommands(Client client) {
        this.client = client;
    }

    /** The statuses that were expected, and came. */
    static List<Integer> play(Client client) throws IOException, InterruptedException {
        Matcher block = BLOCK.matcher(Files.readString(Path.of("README.md")));
        assertThat(block.find()).isTrue();
        ReadmeCommands shell = new ReadmeCommands(client);
        for (String line : block.group(1).lines().toList()) {
            shell.play(line);
        }
        return shell.statuses;
    }

    private void play(String line) throws IOException, InterruptedException {
        Matcher assignment = ASSIGNMENT.matcher(line);
        if (line.startsWith("curl ")) {
            last = curl(line).statusCode();
        } else if (line.matches("# \\d{3}")) {
            assertThat(last)
                    .as("before '%s', the %d. one", line, statuses.size() + 1)
                    .isEqualTo(Integer.parseInt(line.substring(2)));
            statuses.add(last);
        } else if (assignment.matches()) {
            variables.put(assignment.group(1), valueOf(assignment.group(1), assignment.group(2)));
        } else {
            assertThat(line).matches("(?:#.*)?");
        }
    }

    /** The phone computes the app's code. The server is the started process with its port. */
    private String valueOf(String name, String text) throws IOException, InterruptedException {
        Matcher taken = TAKEN.matcher(text);
        if (name.equals("api")) {
            return "";
        } else if (name.equals("code")) {
            return Phone.code(variables.get("secret"), codesShown++);
        } else if (!taken.matches()) {
            return words(text).get(0);
        }
        String body = curl(taken.group(1)).body();
        String array = taken.group(3) == null ? "" : "\\[";
        Matcher member = Pattern.compile("\"" + taken.group(2) + "\":" + array + "\"([^\"]+)\"")
                .matcher(body);
        assertThat(member.find()).as("%s in %s", taken.group(2), body).isTrue();
        return member.group(1);
    }

    private HttpResponse<String> curl(String command) throws IOException, InterruptedException {
        CurlRequest request = new CurlRequest();
        List<String> words = words(command);
        for (int i = 1; i < words.size(); i++) {
            i += request.take(words.get(i), i + 1 < words.size() ? words.get(i + 1) : "");
        }
        return client.send(request.in(client));
    }

    /** As a shell splits words: single quotes keep everything, double quotes and bare words replace variables. */
    private List<String> words(String text) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(text);
        while (word.find()) {
            String whole = word.group();
            words.add(whole.startsWith("'") ? word.group(1) : withVariables(whole));
        }
        return words;
    }

    private String withVariables(String word) {
        String bare =
                word.startsWith("\"") ? word.substring(1, word.length() - 1).replace("\\\"", "\"") : word;
        return VARIABLE.matcher(bare).replaceAll(found -> {
            assertThat(variables).containsKey(found.group(1));
            return Matcher.quoteReplacement(variables.get(found.group(1)));
        });
    }
}
