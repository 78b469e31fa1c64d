package dev.latchkey.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Mermaid drawing of packages in a module's README. An arrow that follows from other arrows is not drawn. */
record Drawing(Set<Arrow> arrows) {

    /** One package uses another. */
    record Arrow(String from, String to) implements Comparable<Arrow> {

        @Override
        public int compareTo(Arrow other) {
            return toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return from + " --> " + to;
        }
    }

    private static final Pattern ARROW = Pattern.compile("(?m)^\\s*(\\w+) --> (\\w+)\\s*$");

    /** The drawing of this base package, in the module's README. */
    static Drawing of(String base, String module) {
        try {
            String page = Files.readString(Path.of("..", module, "README.md"));
            int begin = page.indexOf("```mermaid\n%% " + base + "\n");
            if (begin < 0) {
                throw new AssertionError("README.md of " + module + " has no drawing of " + base);
            }
            return in(page.substring(begin, page.indexOf("\n```\n", begin)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Drawing in(String text) {
        Set<Arrow> arrows = new TreeSet<>();
        for (Matcher arrow = ARROW.matcher(text); arrow.find(); ) {
            arrows.add(new Arrow(arrow.group(1), arrow.group(2)));
        }
        return new Drawing(arrows);
    }

    /** The differences from the arrows of the code; empty without a difference. */
    Set<String> differencesFrom(Set<Arrow> code) {
        Set<String> differences = new TreeSet<>();
        for (Arrow arrow : code) {
            if (!leads(arrow, arrows)) {
                differences.add("not drawn: " + arrow);
            }
        }
        for (Arrow arrow : arrows) {
            Set<Arrow> others = new HashSet<>(arrows);
            others.remove(arrow);
            if (!code.contains(arrow)) {
                differences.add("not in the code: " + arrow);
            } else if (leads(arrow, others)) {
                differences.add("follows from others: " + arrow);
            }
        }
        return differences;
    }

    private static boolean leads(Arrow wanted, Set<Arrow> over) {
        Set<String> seen = new HashSet<>();
        Deque<String> next = new ArrayDeque<>(Set.of(wanted.from()));
        while (!next.isEmpty()) {
            String room = next.pop();
            for (Arrow arrow : over) {
                if (arrow.from().equals(room) && seen.add(arrow.to())) {
                    next.push(arrow.to());
                }
            }
        }
        return seen.contains(wanted.to());
    }
}
