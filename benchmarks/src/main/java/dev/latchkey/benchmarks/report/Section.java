package dev.latchkey.benchmarks.report;

import java.util.List;

/**
 * What one scenario found.
 *
 * @param id anchor of the section, stable
 * @param name in a word or two, for the list of sections
 * @param text what was done, in a few sentences
 * @param notes what a reader must know to judge the figures
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
