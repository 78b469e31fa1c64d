package dev.latchkey.docs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Mermaid flowchart, in the part of the language that the pages use: nodes with texts, arrows, and dotted arrows with
 * texts.
 */
final class Diagram {

    /** A box with a text. */
    record Box(String id, String text) {}

    /** An arrow; its text is empty for a solid arrow. */
    record Arrow(String from, String to, String text) {}

    private static final Pattern FIRST = Pattern.compile("flowchart (TD|LR)");
    private static final Pattern ARROW = Pattern.compile("\\s*(?:-->|-\\. ([\\w ]+) \\.->)\\s*");
    private static final Pattern NODE = Pattern.compile("([\\w-]+)(?:\\[([^]]+)])?");

    private final Map<String, Box> boxes = new LinkedHashMap<>();
    private final List<Arrow> arrows = new ArrayList<>();
    private final boolean isDown;

    private Diagram(boolean isDown) {
        this.isDown = isDown;
    }

    /**
     * @throws IllegalArgumentException if the text has another construct of Mermaid
     */
    static Diagram of(String text) {
        List<String> lines = text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("%%"))
                .toList();
        Matcher first = FIRST.matcher(lines.isEmpty() ? "" : lines.get(0));
        if (!first.matches()) {
            throw new IllegalArgumentException("A diagram begins with 'flowchart TD' or 'flowchart LR': " + text);
        }
        Diagram diagram = new Diagram(first.group(1).equals("TD"));
        lines.stream().skip(1).forEach(diagram::add);
        return diagram;
    }

    private void add(String line) {
        Matcher arrow = ARROW.matcher(line);
        List<String> from = List.of();
        String text = "";
        int begin = 0;
        boolean more = true;
        while (more) {
            more = arrow.find();
            List<String> to = nodes(line.substring(begin, more ? arrow.start() : line.length()));
            for (String source : from) {
                for (String target : to) {
                    arrows.add(new Arrow(source, target, text));
                }
            }
            if (more) {
                from = to;
                text = arrow.group(1) == null ? "" : arrow.group(1);
                begin = arrow.end();
            }
        }
    }

    private List<String> nodes(String text) {
        List<String> ids = new ArrayList<>();
        for (String part : text.split("&", -1)) {
            Matcher node = NODE.matcher(part.strip());
            if (!node.matches()) {
                throw new IllegalArgumentException("No node of a diagram: '" + part.strip() + "'");
            }
            String id = node.group(1);
            boxes.putIfAbsent(id, new Box(id, id));
            if (node.group(2) != null) {
                boxes.put(id, new Box(id, node.group(2)));
            }
            ids.add(id);
        }
        return ids;
    }

    Collection<Box> boxes() {
        return boxes.values();
    }

    List<Arrow> arrows() {
        return arrows;
    }

    /** Whether the arrows lead down. Otherwise they lead to the right. */
    boolean isDown() {
        return isDown;
    }

    /** The arrows as text, for readers without the picture. */
    String inWords() {
        List<String> words = new ArrayList<>();
        for (Arrow arrow : arrows) {
            String end = arrow.text().isEmpty() ? "" : " (" + arrow.text() + ")";
            words.add(textOf(arrow.from()) + " → " + textOf(arrow.to()) + end);
        }
        return String.join("; ", words);
    }

    private String textOf(String id) {
        Box box = boxes.get(id);
        return box == null ? id : box.text();
    }
}
