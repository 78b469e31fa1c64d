package dev.latchkey.auth.spring.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.EndpointTranscript;
import dev.latchkey.auth.spring.metrics.LoginService;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Plays an {@link EndpointTranscript} against a service, and fails at the first difference. */
public final class EndpointPlay {

    private static final String SEPARATOR = " | ";
    private static final Pattern NAME = Pattern.compile("<(\\w+)>");
    private static final Pattern PROBLEM = Pattern.compile("< problem (\\d+)(.*)");
    private static final Pattern ERROR = Pattern.compile("< error (\\d+) (\\w+)(.*)");

    /** Stands for any text. */
    private static final String TEXT = "text";

    /** The fields that the endpoints decide about, in the order in which transcripts have them. */
    private static final List<String> DECIDED = List.of(
            "Content-Type",
            "Cache-Control",
            "Pragma",
            "WWW-Authenticate",
            "Authorization",
            "Retry-After",
            "RateLimit",
            "Set-Cookie",
            "Location");

    private final Service service;
    private final LoginService.@Nullable Observed observed;
    private final Consumer<String> disable;

    /** What the names in the transcript stand for, as far as it is known. */
    private final Map<String, String> known = new HashMap<>();

    private EndpointPlay(Service service, LoginService.@Nullable Observed observed, Consumer<String> disable) {
        this.service = service;
        this.observed = observed;
        this.disable = disable;
    }

    /** What a request is sent to. */
    @FunctionalInterface
    public interface Service {
        Reply send(Request request) throws Exception;
    }

    public record Request(String method, String uri, List<Map.Entry<String, String>> headers, String bodyInHex) {

        public byte[] body() {
            return HexFormat.of().parseHex(bodyInHex);
        }
    }

    public record Reply(int status, Map<String, List<String>> headers, String body) {

        private String described() {
            StringBuilder text = new StringBuilder().append(status);
            for (String field : DECIDED) {
                headers.forEach((name, values) -> {
                    if (name.equalsIgnoreCase(field)) {
                        values.forEach(value -> text.append(SEPARATOR)
                                .append(field)
                                .append(": ")
                                .append(value));
                    }
                });
            }
            return text + (body.isEmpty() ? "" : SEPARATOR + "body=" + body);
        }
    }

    public static void play(EndpointTranscript transcript, Service service, LoginService.Observed observed)
            throws Exception {
        new EndpointPlay(service, observed, observed::disable).take(transcript.steps());
        if (!transcript.meters().isEmpty()) {
            assertThat(observed.logins()).isEqualTo(transcript.meters());
        }
    }

    /** The same without events and meters. */
    public static void play(EndpointTranscript transcript, Service service, Consumer<String> disable) throws Exception {
        new EndpointPlay(service, null, disable).take(transcript.steps());
    }

    private void take(List<EndpointTranscript.Step> steps) throws Exception {
        for (EndpointTranscript.Step step : steps) {
            take(step);
        }
    }

    private void take(EndpointTranscript.Step step) throws Exception {
        if (step.line().startsWith("! disable ")) {
            disable.accept(step.line().substring("! disable ".length()));
            return;
        }
        if (observed != null) {
            observed.events().clear();
        }
        Reply reply = service.send(request(step.line().substring(2)));
        if (step.expected().startsWith("<~ ")) {
            assertThat(reply.status())
                    .as(step.line())
                    .isEqualTo(Integer.parseInt(step.expected().substring(3)));
        } else {
            requireSame(reply.described(), step);
        }
        if (observed != null && !step.events().isEmpty()) {
            List<String> events = observed.events().isEmpty() ? List.of("none") : List.copyOf(observed.events());
            assertThat(events).as(step.line()).isEqualTo(step.events());
        }
    }

    private Request request(String line) {
        String[] parts = line.split(Pattern.quote(SEPARATOR), -1);
        String[] target = resolved(parts[0]).split(" ", 2);
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        String body = "";
        for (String part : Arrays.copyOfRange(parts, 1, parts.length)) {
            if (part.startsWith("body=")) {
                body = HexFormat.of()
                        .formatHex(resolved(part.substring("body=".length())).getBytes(StandardCharsets.UTF_8));
            } else if (part.startsWith("fill=")) {
                int bytes = Integer.parseInt(part.substring("fill=".length()));
                body += "61".repeat(bytes - body.length() / 2);
            } else if (part.startsWith("hex=")) {
                body = part.substring("hex=".length());
            } else {
                String[] field = resolved(part).split(": ", 2);
                headers.add(Map.entry(field[0], field[1]));
            }
        }
        return new Request(target[0], target[1], headers, body);
    }

    private String resolved(String text) {
        return NAME.matcher(text).replaceAll(name -> Matcher.quoteReplacement(known.get(name.group(1))));
    }

    /** Compares, and takes note of what new names stand for. */
    private void requireSame(String actual, EndpointTranscript.Step step) {
        String expected = inFull(step.expected());
        StringBuilder regex = new StringBuilder();
        List<String> found = new ArrayList<>();
        Matcher names = NAME.matcher(expected);
        int at = 0;
        while (names.find()) {
            String name = names.group(1);
            regex.append(Pattern.quote(expected.substring(at, names.start())));
            if (name.equals(TEXT)) {
                regex.append("[^\"]+");
            } else if (known.containsKey(name)) {
                regex.append(Pattern.quote(known.get(name)));
            } else if (found.contains(name)) {
                regex.append("\\k<").append(name).append('>');
            } else {
                regex.append("(?<").append(name).append(">[\\w.:-]+)");
                found.add(name);
            }
            at = names.end();
        }
        regex.append(Pattern.quote(expected.substring(at)));
        Matcher match = Pattern.compile(regex.toString()).matcher(actual);
        assertThat(match.matches())
                .as("%s%nexpected %s%nbut was  %s", step.line(), expected, actual)
                .isTrue();
        found.forEach(name -> known.put(name, match.group(name)));
    }

    private static String inFull(String expected) {
        Matcher error = ERROR.matcher(expected);
        if (error.matches()) {
            return error.group(1) + SEPARATOR + "Content-Type: application/json" + SEPARATOR + "Cache-Control: no-store"
                    + SEPARATOR + "Pragma: no-cache" + error.group(3) + SEPARATOR + "body={\"error\":\""
                    + error.group(2) + "\",\"error_description\":\"<" + TEXT + ">\"}";
        }
        Matcher problem = PROBLEM.matcher(expected);
        if (!problem.matches()) {
            return expected.substring(2);
        }
        int status = Integer.parseInt(problem.group(1));
        Problem is = Arrays.stream(Problem.values())
                .filter(each -> each.status() == status)
                .findFirst()
                .orElseThrow();
        return status + SEPARATOR + "Content-Type: application/problem+json" + SEPARATOR + "Cache-Control: no-store"
                + problem.group(2) + SEPARATOR + "body=" + is.body();
    }
}
