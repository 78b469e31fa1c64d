package dev.latchkey.tests.simulator;

import static dev.latchkey.testsupport.Until.until;

import com.zaxxer.hikari.HikariDataSource;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jdbc.JdbcNodes;
import dev.latchkey.auth.jdbc.databases.HistoryDatabase;
import dev.latchkey.auth.store.LoginStore;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A network that drops connections and tells neither side. A driver waits for such a connection for ever. */
@Tag("faults")
@Timeout(240)
class SilentConnectionsTest {

    private static final int CALLERS = 8;
    private static final int SOME = 100;

    /** Of a store. The pool stops making connections with one more. */
    private static final int THREADS = 4;

    @ParameterizedTest
    @EnumSource(HistoryDatabase.class)
    void storeWhoseConnectionsAllGoSilent_answersAgain(HistoryDatabase kind) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicLong answers = new AtomicLong();
        try (FaultyWay way = new FaultyWay(kind.port());
                HikariDataSource pool = kind.pool(way.port())) {
            LoginStore logins = JdbcNodes.logins(pool, "shop", InstantSource.system());
            for (int i = 0; i < CALLERS; i++) {
                callers.execute(() -> askWithoutEnd(logins, answers, isOver));
            }
            // No bound of the store ends the wait of the pool's thread for a new connection.
            until(() -> answers.get() > SOME && pool.getHikariPoolMXBean().getTotalConnections() > THREADS);
            way.loseOpenConnections();
            long before = answers.get();
            until(() -> answers.get() > before + SOME);
        } finally {
            isOver.set(true);
            callers.shutdownNow();
        }
    }

    private static void askWithoutEnd(LoginStore logins, AtomicLong answers, AtomicBoolean isOver) {
        while (!isOver.get()) {
            try {
                logins.find("nobody");
                answers.incrementAndGet();
            } catch (AuthUnavailableException e) {
                // The next question may be answered.
            }
        }
    }
}
