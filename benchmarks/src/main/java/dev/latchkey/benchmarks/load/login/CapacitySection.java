package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Accounts;
import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Figures;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Series.Point;
import dev.latchkey.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the report says about a million accounts.
 *
 * @param measured the tallies of each call, by the title of their case
 * @param titles of the services, in the order in which they are shown
 */
record CapacitySection(
        String id,
        Map<String, Map<String, Tally>> measured,
        Tally othersAlone,
        List<Point> byAccounts,
        List<String> titles) {

    /** The section of users who returned and of first logins, beside what bare threads hash in a second. */
    Section of(String database, int users, int returning, double hashes) {
        Map<String, Tally> ours = measured.get("BCrypt + Latchkey, returning users");
        Map<String, Tally> oursFirst = measured.get("BCrypt + Latchkey, first logins");
        Tally login = ours.get("login");
        double share = 100 * oursFirst.get("other").perSecond() / othersAlone.perSecond();
        return new Section(
                id,
                "Capacity",
                "A million accounts: login, then the profile",
                "The accounts are in " + database + ". " + users + " virtual users; returning users are " + returning
                        + " accounts that have logged in before, first logins are of an account that has not.",
                List.of(
                        Goal.atLeast(
                                "capacity-returning",
                                "Returning users of a million accounts, login and profile",
                                ours.get("profile").perSecond(),
                                400,
                                "/s"),
                        Goal.atMost("capacity-mean", "Their mean response time", login.meanMillis(), 1_000, "ms"),
                        Goal.atLeast(
                                "capacity-first",
                                "First logins beside what bare threads hash, as many as there are permits, on the idle machine",
                                100 * oursFirst.get("login").perSecond() / hashes,
                                90,
                                "%"),
                        Goal.atLeast("capacity-others", "Meanwhile others keep of their throughput", share, 60, "%")),
                List.of(
                        Chart.bars(
                                "Returning users: logins and profiles per second (more is better)",
                                "per second",
                                Scale.LOGARITHMIC,
                                titles,
                                List.of(Series.of(
                                        "returning",
                                        titles.stream()
                                                .map(title -> measured.get(title + ", returning users")
                                                        .get("profile")
                                                        .perSecond())
                                                .toList()))),
                        Chart.lines(
                                "Returning users by number of accounts: slope " + show(Figures.slope(byAccounts)),
                                "accounts",
                                Scale.LOGARITHMIC,
                                "per second",
                                Scale.LINEAR,
                                List.of(new Series("BCrypt + Latchkey", byAccounts)))),
                List.of(table()),
                List.of(
                        "The stored values are of a pool of " + Accounts.POOL
                                + " real hashes, since a million take a day to make;"
                                + " each has its account's number behind it, so that all are different, and every first login"
                                + " computes a full one.",
                        "The weak hash is PBKDF2-HMAC-SHA1 with 1,000 rounds. Latchkey's hashes are those of BCrypt alone: cost 10,"
                                + " untouched. First logins wait a second after an answer, as Retry-After asks."));
    }

    private Table table() {
        List<List<String>> rows = new ArrayList<>();
        measured.forEach((title, tallies) -> tallies.forEach((call, tally) -> rows.add(List.of(
                title + ": " + call,
                show(tally.perSecond()),
                show(tally.meanMillis()),
                show(tally.millisAt(99)),
                show(tally.overloaded()),
                show(tally.refused())))));
        return new Table(
                "Rates and response times", List.of("", "per second", "mean, ms", "p99, ms", "503", "4xx"), rows);
    }
}
