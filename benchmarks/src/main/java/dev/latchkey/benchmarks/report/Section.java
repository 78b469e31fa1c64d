package dev.latchkey.benchmarks.report;

import java.util.List;

/**
 * The results of a scenario.
 *
 * @param id anchor of the section, stable
 * @param name in a word or two, for the list of sections
 * @param text the procedure, in a few sentences
 * @param notes facts for judging the figures
 */
public record Section(
        String id,
        String name,
        String title,
        String text,
        List<Goal> goals,
        List<Chart> charts,
        List<Table> tables,
        List<String> notes) {

    public Section {
        goals = List.copyOf(goals);
        charts = List.copyOf(charts);
        tables = List.copyOf(tables);
        notes = List.copyOf(notes);
    }
}
