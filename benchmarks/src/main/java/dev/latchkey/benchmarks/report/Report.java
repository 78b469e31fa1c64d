package dev.latchkey.benchmarks.report;

import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * All that one run found.
 *
 * @param command what made it
 * @param date the day, as {@code 2026-11-21}
 * @param machine what it ran on, by name
 */
public record Report(String command, String date, Map<String, String> machine, List<Section> sections) {

    public Report {
        sections = List.copyOf(sections);
    }

    /**
     * The goal of this id.
     *
     * @throws NoSuchElementException if no section has it
     */
    public Goal goal(String id) {
        return sections.stream()
                .flatMap(section -> section.goals().stream())
                .filter(goal -> goal.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("There is no goal '" + id + "'"));
    }
}
