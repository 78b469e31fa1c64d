package dev.latchkey.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.latchkey.auth.jdbc.databases.HistoryDatabase;
import dev.latchkey.tests.simulator.FaultyWay.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * API keys and one-time codes at two nodes with clocks minutes apart, over real databases, with faults between a node
 * and its database.
 */
@Tag("faults")
@Timeout(240)
class FactorHistoriesTest {

    private static final Duration APART = Duration.ofMinutes(3);
    private static final int CLIENTS = 8;
    private static final int SOME = 60;

    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final List<FaultyWay> ways = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = toClose.size() - 1; i >= 0; i--) {
            toClose.get(i).close();
        }
    }

    private <T extends AutoCloseable> T closed(T resource) {
        toClose.add(resource);
        return resource;
    }

    private HikariDataSource pool(HistoryDatabase kind) throws Exception {
        FaultyWay way = closed(new FaultyWay(kind.port()));
        ways.add(way);
        return closed(kind.pool(way.port()));
    }

    /** Only the first node has the fault, then both nodes. */
    private void become(FactorHistory history, State state) throws Exception {
        ways.get(0).become(state);
        history.awaitMore(SOME, Op.Result.DONE);
        for (FaultyWay way : ways) {
            way.become(state);
        }
        history.awaitMore(SOME / 4, state == State.DELAYS ? Op.Result.DONE : Op.Result.OUTAGE);
        for (FaultyWay way : ways) {
            way.become(State.PASSES);
        }
        history.awaitMore(2 * SOME, Op.Result.DONE);
    }

    @ParameterizedTest
    @EnumSource(HistoryDatabase.class)
    void keysAndCodes_atTwoNodesWithFaultyWays_keepThePromises(HistoryDatabase kind) throws Exception {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
        try {
            FactorHistory nodes = closed(new FactorHistory(APART));
            nodes.add("n0", Duration.ZERO, pool(kind));
            nodes.add("n1", APART, pool(kind));
            nodes.enrol();
            History history = nodes.run(CLIENTS, running -> {
                running.awaitMore(4 * SOME, Op.Result.DONE);
                become(running, State.DELAYS);
                running.setClock(1, APART.negated());
                become(running, State.CUTS);
                running.setClock(0, APART);
                become(running, State.HALF_OPEN);
            });
            assertThat(Promises.brokenBy(history)).isEmpty();
            for (Op.Kind each : List.of(Op.Kind.ISSUE_KEY, Op.Kind.USE_KEY, Op.Kind.USE_CODE)) {
                assertThat(results(history, each, Op.Result.DONE))
                        .as("%s", each)
                        .isGreaterThan(20);
                assertThat(results(history, each, Op.Result.REFUSED))
                        .as("%s", each)
                        .isGreaterThan(20);
            }
            System.out.printf(
                    "%s: %d operations, %d outages%n",
                    kind,
                    history.ops().size(),
                    history.ops().stream()
                            .filter(op -> op.result == Op.Result.OUTAGE)
                            .count());
        } finally {
            TimeZone.setDefault(before);
        }
    }

    private static long results(History history, Op.Kind kind, Op.Result result) {
        return history.ops().stream()
                .filter(op -> op.kind == kind && op.result == result)
                .count();
    }
}
