package dev.latchkey.benchmarks.report;

import java.util.List;

/**
 * A start of the command, and its sections of the report.
 *
 * @param command the command line
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
