package dev.latchkey.auth.password.migration.tool;

import dev.latchkey.auth.password.HashInfo;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Counts the kinds of stored values, and keeps no value. */
final class HashReport {

    private static final Comparator<HashInfo> ORDER = Comparator.comparing(HashInfo::standing)
            .thenComparing(HashInfo::algorithm)
            .thenComparing(HashInfo::cost)
            .thenComparing(HashInfo::reason);

    /** The limit of a readable report; in a hostile file, each row may have other costs. */
    static final int MAX_KINDS = 1000;

    private final Map<HashInfo, Long> counts = new TreeMap<>(ORDER);
    private long others;
    private long total;

    void add(HashInfo info) {
        total++;
        if (counts.size() < MAX_KINDS || counts.containsKey(info)) {
            counts.merge(info, 1L, Long::sum);
        } else {
            others++;
        }
    }

    /** One line for each kind. Kinds without required action come first. */
    String table() {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT, "%10s  %-22s %-24s %-9s %s%n", "count", "algorithm", "cost", "standing", "reason"));
        counts.forEach((info, count) -> table.append(String.format(
                Locale.ROOT,
                "%10d  %-22s %-24s %-9s %s%n",
                count,
                info.algorithm(),
                info.cost(),
                info.standing().name().toLowerCase(Locale.ROOT),
                info.reason())));
        if (others > 0) {
            table.append(String.format(Locale.ROOT, "%10d  of more than %d kinds%n", others, MAX_KINDS));
        }
        return table.append(String.format(Locale.ROOT, "%10d  in all%n", total)).toString();
    }
}
