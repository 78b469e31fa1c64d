package dev.latchkey.auth.spring;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A section of {@code endpoints.txt}, which says how to read it: a service, and what it has to answer to what. */
public final class EndpointTranscript {

    private final String name;
    private final List<String> properties = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private final List<String> meters = new ArrayList<>();

    private EndpointTranscript(String name) {
        this.name = name;
    }

    /** A request, or something that is done to the service, with what has to come of it. */
    public static final class Step {

        private final String line;
        private final List<String> events = new ArrayList<>();
        private String expected = "";

        private Step(String line) {
            this.line = line;
        }

        public String line() {
            return line;
        }

        public String expected() {
            return expected;
        }

        /** Empty where the events do not matter; {@code none} where there have to be none. */
        public List<String> events() {
            return events;
        }
    }

    public static Stream<EndpointTranscript> sections() throws IOException {
        List<EndpointTranscript> sections = new ArrayList<>();
        try (InputStream file = EndpointTranscript.class.getResourceAsStream("endpoints.txt")) {
            String text = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().toList()) {
                if (line.startsWith("= ")) {
                    sections.add(new EndpointTranscript(line.substring(2)));
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    sections.get(sections.size() - 1).read(line);
                }
            }
        }
        return sections.stream();
    }

    private void read(String line) {
        switch (line.charAt(0)) {
            case '>', '!' -> steps.add(new Step(line));
            case '<' -> last().expected = line;
            case '*' -> last().events.add(line.substring(2));
            case '%' -> meters.add(line.substring(2));
            default -> properties.add(line);
        }
    }

    private Step last() {
        return steps.get(steps.size() - 1);
    }

    public String[] properties() {
        return properties.toArray(String[]::new);
    }

    public List<Step> steps() {
        return steps;
    }

    /** Empty where the meters do not matter. */
    public List<String> meters() {
        return meters;
    }

    @Override
    public String toString() {
        return name;
    }
}
