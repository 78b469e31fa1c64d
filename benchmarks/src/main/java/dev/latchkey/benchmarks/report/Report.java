package dev.latchkey.benchmarks.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * All results, of a single run or of several runs of a part each.
 *
 * @param runs the runs of the sections; each section is of a single run
 * @param machine the machine of the runs, by name
 */
public record Report(List<Run> runs, Map<String, String> machine, List<Section> sections) {

    public Report {
        runs = List.copyOf(runs);
        sections = List.copyOf(sections);
    }

    /** Nothing yet, on this machine. */
    public static Report on(Map<String, String> machine) {
        return new Report(List.of(), machine, List.of());
    }

    /** This report with a section measured anew, in place of the earlier section. */
    public Report with(Section section, String command, String date) {
        return new Report(runsWith(new Run(command, date, List.of(section.id()))), machine, sectionsWith(section));
    }

    /** This report with another content of a section, from the same run. */
    public Report with(Section section) {
        return new Report(runs, machine, sectionsWith(section));
    }

    /**
     * This report, for further sections from this machine: all figures of a report are of one machine.
     *
     * @throws IllegalStateException if the earlier sections are of another processor, or of another number of cores
     */
    public Report continuedOn(Map<String, String> machine) {
        for (String name : List.of("processor", "cores")) {
            if (!Objects.equals(this.machine.get(name), machine.get(name))) {
                throw new IllegalStateException("The kept figures are of another machine, " + name + ": "
                        + this.machine.get(name) + ", here: " + machine.get(name)
                        + ". Measure all scenarios, or delete results.json first");
            }
        }
        return new Report(runs, machine, sections);
    }

    /** This report, its sections in the order of these ids. */
    public Report inOrder(List<String> ids) {
        return new Report(
                runs,
                machine,
                sections.stream()
                        .sorted(Comparator.comparingInt(section -> ids.indexOf(section.id())))
                        .toList());
    }

    private List<Section> sectionsWith(Section section) {
        return Stream.concat(sections.stream().filter(other -> !other.id().equals(section.id())), Stream.of(section))
                .toList();
    }

    private List<Run> runsWith(Run added) {
        List<Run> all = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (Run run : runs) {
            List<String> left = run.sections().stream()
                    .filter(id -> !added.sections().contains(id))
                    .toList();
            if (run.isAlike(added)) {
                ids.addAll(left);
            } else if (!left.isEmpty()) {
                all.add(new Run(run.command(), run.date(), left));
            }
        }
        ids.addAll(added.sections());
        all.add(new Run(added.command(), added.date(), ids));
        return all;
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
