package dev.latchkey.auth.jdbc;

import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.ServiceName;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;

/** Stores in a database of nodes that have a clock each. */
public final class JdbcNodes {

    private JdbcNodes() {}

    public static LoginStore logins(DataSource database, String service, InstantSource clock) {
        return JdbcLoginStore.in(database, new ServiceName(service), clock);
    }

    public static SharedRevocationStore revocations(DataSource database, String service, InstantSource clock) {
        return JdbcRevocationStore.in(database, new ServiceName(service), Duration.ofHours(1), clock, 10_000);
    }

    /** Deletes expired rows as a node with this clock does. */
    public static int sweep(DataSource database, InstantSource clock) {
        return JdbcRevocationStore.in(database, new ServiceName("shop"), Duration.ofHours(1), clock, 10_000)
                .sweep();
    }
}
