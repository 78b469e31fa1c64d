package dev.latchkey.auth.spring.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.AudibleLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DelegatingDataSource;

@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
@Timeout(60)
class SharedTablesTest {

    private static final Duration SHORT = Duration.ofMillis(20);

    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void end() {
        end.countDown();
    }

    private final class HangingDatabase extends DelegatingDataSource {

        @Override
        public Connection getConnection() throws SQLException {
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            throw new SQLException("The test is over");
        }
    }

    @Test
    void databaseThatAcceptsConnectionsAndAnswersNothing_doesNotHoldTheStart(CapturedOutput log) {
        new SharedTables(new HangingDatabase(), SHORT).requireLogins();
        assertThat(log).contains("The database was not asked for its tables at the start: TimeoutException");
    }

    /** A pool starts its threads from the asking thread, and they live on. */
    @Test
    void tenantOfTheStartingThread_isNotSeenByTheCheck() {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        List<String> seen = new CopyOnWriteArrayList<>();
        tenant.set("first");
        try {
            new SharedTables(new DelegatingDataSource() {
                        @Override
                        public Connection getConnection() throws SQLException {
                            seen.add(String.valueOf(tenant.get()));
                            throw new SQLException("No connection");
                        }
                    })
                    .requireLogins();
        } finally {
            tenant.remove();
        }
        assertThat(seen).isNotEmpty().containsOnly("null");
    }

    @Test
    void interruptedStart_waitsNoLonger() {
        Thread.currentThread().interrupt();
        new SharedTables(new HangingDatabase()).requireLogins();
        assertThat(Thread.interrupted()).isTrue();
    }
}
