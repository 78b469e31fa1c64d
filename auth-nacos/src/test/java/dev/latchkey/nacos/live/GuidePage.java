package dev.latchkey.nacos.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the guide tells a newcomer to write and to type. */
record GuidePage(String text) {

    private static final Pattern BLOCK = Pattern.compile("```properties\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LOOP = Pattern.compile("for guess in ([\\d ]+); do (.*); done");
    private static final Pattern METHOD = Pattern.compile(" -X ([A-Z]+)");
    private static final Pattern PATH = Pattern.compile("\"\\$NACOS([^\"]+)\"");
    private static final Pattern HEADER = Pattern.compile(" -H \"([^:]+): ([^\"]+)\"");
    private static final Pattern FORM = Pattern.compile(" -d ['\"]([^'\"]*)['\"]");

    static GuidePage read() {
        try {
            return new GuidePage(Files.readString(Path.of(System.getProperty("nacos.guide"))));
        } catch (IOException e) {
            throw new IllegalStateException("The guide cannot be read", e);
        }
    }

    Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        first(BLOCK, text)
                .lines()
                .map(String::strip)
                .filter(line -> line.contains("=") && !line.startsWith("#"))
                .map(line -> line.split("=", 2))
                .forEach(pair -> properties.put(pair[0], pair[1]));
        return properties;
    }

    /** Each {@code curl}, and each iteration of a loop. */
    List<String> commands() {
        return text.lines()
                .flatMap(GuidePage::turns)
                .filter(line -> line.startsWith("curl "))
                .toList();
    }

    private static Stream<String> turns(String line) {
        Matcher loop = LOOP.matcher(line);
        return loop.matches()
                ? Stream.of(loop.group(1).split(" ")).map(guess -> loop.group(2).replace("$guess", guess))
                : Stream.of(line);
    }

    /** Executes the command without {@code curl}, because some machines have no {@code curl}. */
    static NacosHttp.Answer run(String command, NacosHttp server, String token) {
        String typed = command.replace("$TOKEN", token);
        NacosHttp http = server;
        for (MatchResult field : HEADER.matcher(typed).results().toList()) {
            http = http.with(field.group(1), field.group(2));
        }
        String method = typed.contains(" -X ") ? first(METHOD, typed) : "GET";
        return http.send(method, first(PATH, typed), typed.contains(" -d ") ? first(FORM, typed) : "");
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("The guide has no " + pattern + " in: " + text);
        }
        return matcher.group(1);
    }
}
