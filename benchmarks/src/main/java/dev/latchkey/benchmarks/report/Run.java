package dev.latchkey.benchmarks.report;

import java.util.List;

/**
 * One start of the command, and what of the report is from it.
 *
 * @param command what was typed
 * @param date the day, as {@code 2026-11-21}
 * @param sections their ids
 */
public record Run(String command, String date, List<String> sections) {

    public Run {
        sections = List.copyOf(sections);
    }

    boolean isAlike(Run other) {
        return command.equals(other.command) && date.equals(other.date);
    }
}
