package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.internal.Durations;
import dev.latchkey.auth.guard.login.Siege.Attack;
import dev.latchkey.auth.guard.login.Siege.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The promises about {@link Siege two days of guessing}, and the tables of the README, written with {@code -Dsiege=write}. */
@Tag("long")
class SiegeTest {

    private static final List<Double> RATES = List.of(0.2, 1.0, 5.0);
    private static final List<Duration> PACES = List.of(
            Duration.ofSeconds(30),
            Duration.ofMinutes(1),
            Duration.ofMinutes(2),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofMinutes(30),
            Duration.ofHours(1));

    /** A siege has a single outcome. The promises and the tables share the outcomes. */
    private static final Map<Played, Outcome> PLAYED = new ConcurrentHashMap<>();

    private record Played(Attack attack, double rate, Duration unknownClientPace) {

        Outcome outcome() {
            return Siege.of(LoginLimitSettings.defaults().withUnknownClientPace(unknownClientPace), attack, rate);
        }
    }

    private static Outcome siege(Attack attack, double rate) {
        return siege(attack, rate, LoginLimitSettings.defaults().unknownClientPace());
    }

    private static Outcome siege(Attack attack, double rate, Duration unknownClientPace) {
        return PLAYED.computeIfAbsent(new Played(attack, rate, unknownClientPace), Played::outcome);
    }

    @ParameterizedTest
    @EnumSource
    void ownerAtAKnownClientGetsInAtOnce(Attack attack) {
        for (double rate : RATES) {
            assertThat(siege(attack, rate).visits()).isEqualTo(Siege.VISITS_IN_ALL);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_SOURCE", "ONE_48"})
    void againstOneSourceOrOne48_strangersGetInAtOnce_andThereAreAtMostFiveHundredGuesses(Attack attack) {
        for (double rate : RATES) {
            Outcome outcome = siege(attack, rate);
            assertThat(outcome.longestWait()).isZero();
            assertThat(outcome.guesses()).isBetween(100, 500);
        }
    }

    @Test
    void againstAThousandSources_nineteenInTwentyUnknownClientsGetInAtOnce_andThereAreAtMostTwoThousandGuesses() {
        for (double rate : RATES) {
            Outcome outcome = siege(Attack.THOUSAND_SOURCES, rate);
            assertThat(outcome.wait(95)).isZero();
            assertThat(outcome.guesses()).isBetween(1_000, 2_000);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PROXY_WITH_HEADER", "PROXY_WITHOUT_HEADER"})
    void behindAnUnconfiguredProxy_thereAreAtMostAThousandGuesses(Attack attack) {
        for (double rate : RATES) {
            assertThat(siege(attack, rate).guesses()).isBetween(100, 1_000);
        }
    }

    /** No promise, but what the documents say. */
    @ParameterizedTest
    @EnumSource(names = {"PROXY_WITH_HEADER", "PROXY_WITHOUT_HEADER"})
    void behindAnUnconfiguredProxy_aQuickAttackKeepsFourInFiveOwnersOutOfNewClients_andNoneOutOfAKnownOne(
            Attack attack) {
        Outcome outcome = siege(attack, 5);
        assertThat(outcome.visits()).isEqualTo(Siege.VISITS_IN_ALL);
        assertThat(outcome.wait(20)).isGreaterThanOrEqualTo(Siege.PATIENCE);
        assertThat(siege(attack, 0.2).longestWait()).isLessThan(Siege.PATIENCE);
    }

    @Test
    void tablesOfTheReadmeAreTheseSimulations() throws IOException {
        Path file = Path.of("README.md");
        String readme = Files.readString(file);
        String renewed = replaced(replaced(readme, "siege", scenarios()), "curve", curve());
        if ("write".equals(System.getProperty("siege"))) {
            Files.writeString(file, renewed);
        } else {
            assertThat(readme).isEqualTo(renewed);
        }
    }

    /** The text, with the table in place of the lines between the marks of this name. */
    private static String replaced(String text, String name, String table) {
        String begin = "<!-- " + name + " -->\n";
        int from = text.indexOf(begin) + begin.length();
        int to = text.indexOf("<!-- /" + name + " -->", from);
        assertThat(from).isPositive();
        assertThat(to).isPositive();
        return text.substring(0, from) + table + text.substring(to);
    }

    private static String scenarios() {
        String rows = List.of(Attack.values()).stream()
                .flatMap(attack -> RATES.stream().map(rate -> scenario(attack, rate, siege(attack, rate))))
                .collect(Collectors.joining());
        return "| attacker | a second | guesses in 48 hours | owner at a known client | at a new one, half, 95 %, all within |\n"
                + "| --- | --- | --- | --- | --- |\n" + rows;
    }

    private static String scenario(Attack attack, double rate, Outcome outcome) {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %,d | %d of %d at once | %s |\n",
                attack.inWords(),
                rate(rate),
                outcome.guesses(),
                outcome.visits(),
                Siege.VISITS_IN_ALL,
                waits(outcome));
    }

    private static String curve() {
        StringBuilder table = new StringBuilder(
                "| `unknownClientPace` | guesses at 0.2, 1, 5 a second |"
                        + " at a new client, at 0.2 a second: half, 95 %, all within | at 1 | at 5 |\n| --- | --- | --- | --- | --- |\n");
        for (Duration pace : PACES) {
            List<Outcome> outcomes = RATES.stream()
                    .map(rate -> siege(Attack.THOUSAND_SOURCES, rate, pace))
                    .toList();
            boolean isDefault = pace.equals(LoginLimitSettings.defaults().unknownClientPace());
            table.append(isDefault ? "| **" + text(pace) + "** | " : "| " + text(pace) + " | ")
                    .append(outcomes.stream()
                            .map(outcome -> String.format(Locale.ROOT, "%,d", outcome.guesses()))
                            .collect(Collectors.joining("; ")))
                    .append(" | ")
                    .append(outcomes.stream().map(SiegeTest::waits).collect(Collectors.joining(" | ")))
                    .append(" |\n");
        }
        return table.toString();
    }

    private static String rate(double rate) {
        return rate < 1 ? String.valueOf(rate) : String.valueOf((int) rate);
    }

    private static String waits(Outcome outcome) {
        return text(outcome.wait(50)) + ", " + text(outcome.wait(95)) + ", " + text(outcome.longestWait());
    }

    private static String text(Duration duration) {
        if (duration.isZero()) {
            return "0";
        }
        if (duration.compareTo(Siege.PATIENCE) >= 0) {
            return "over 2 h";
        }
        return duration.compareTo(Duration.ofMinutes(1)) < 0
                ? Durations.secondsRoundedUp(duration) + " s"
                : (Durations.secondsRoundedUp(duration) + 59) / 60 + " min";
    }
}
