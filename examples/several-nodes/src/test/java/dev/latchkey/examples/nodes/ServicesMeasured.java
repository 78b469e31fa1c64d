package dev.latchkey.examples.nodes;

import com.zaxxer.hikari.HikariDataSource;
import dev.latchkey.examples.nodes.NodesMeasured.Row;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Whole services: how many logins and refreshes there are in a second. Generator, nodes and stores share the machine. */
final class ServicesMeasured {

    private static final List<Integer> ONE = List.of(0);
    private static final List<Integer> THREE = List.of(0, 0, 0);
    private static final int THREADS = 8;
    private static final int ROUNDS = 3;
    private static final String LOGIN = "username=alice&password=wonderland-tea-party";
    private static final String QUIET = "--logging.level.root=ERROR";

    private ServicesMeasured() {}

    /** Accounts and places that have logged in before; both kinds of nodes in turns. */
    static List<Row> logins(int seconds) throws Exception {
        String noRefresh = "--latchkey.login.refresh.enabled=false";
        String noList = "--latchkey.login.logins.enabled=false";
        String noAddress = "--latchkey.login.logins.record-address=false";
        try (SeveralNodes shared =
                        SeveralNodes.start(NodeApplication.class, THREE, QUIET, noRefresh, noList, noAddress);
                SeveralNodes local = SeveralNodes.start(
                        NodeApplication.class,
                        THREE,
                        QUIET,
                        noRefresh,
                        noList,
                        noAddress,
                        "--latchkey.guard.shared.enabled=false")) {
            double withShared = 0;
            double withLocal = 0;
            for (int round = 0; round <= ROUNDS; round++) {
                double inShared = loginsPerSecond(shared, Math.max(1, seconds / 2));
                double inLocal = loginsPerSecond(local, Math.max(1, seconds / 2));
                // The first is for the compiler.
                withShared += round == 0 ? 0 : inShared / ROUNDS;
                withLocal += round == 0 ? 0 : inLocal / ROUNDS;
            }
            return List.of(Row.of(
                    "logins/s of returning users with shared limits beside local ones, 3 nodes",
                    "85 %",
                    "%.0f %% (%.0f/s, %.0f/s)",
                    100 * withShared / withLocal,
                    withShared,
                    withLocal));
        }
    }

    private static double loginsPerSecond(SeveralNodes nodes, int seconds) throws Exception {
        return Load.perSecond(THREADS, seconds, number -> {
                    for (int node = 0; node < THREE.size(); node++) {
                        token(nodes, node, "203.0.113." + (number + 1));
                    }
                })
                * THREE.size();
    }

    /** A login for each thread, refreshed with the latest token; one node on each store. */
    static List<Row> refreshes(int seconds) throws Exception {
        String noRedis = "--latchkey.store=jdbc";
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start();
                SeveralNodes inRedis = SeveralNodes.start(NodeApplication.class, ONE, QUIET);
                SeveralNodes inMemory = SeveralNodes.start(NodeApplication.class, ONE, QUIET, noRedis);
                SeveralNodes inPostgres = SeveralNodes.start(
                        OnADatabase.class,
                        ONE,
                        QUIET,
                        noRedis,
                        "--spring.sql.init.mode=always",
                        "--spring.sql.init.schema-locations=classpath:dev/latchkey/auth/jdbc/postgresql/V1__latchkey.sql",
                        "--measured.url=" + postgres.getJdbcUrl("postgres", "postgres"))) {
            List<SeveralNodes> all = List.of(inRedis, inPostgres, inMemory);
            double[] perSecond = new double[all.size()];
            for (int round = 0; round <= ROUNDS; round++) {
                for (int i = 0; i < all.size(); i++) {
                    double now = refreshesPerSecond(all.get(i), Math.max(1, seconds / 3));
                    perSecond[i] += round == 0 ? 0 : now / ROUNDS;
                }
            }
            return List.of(Row.of(
                    "refreshes/s of one node with its logins in Redis, PostgreSQL, memory",
                    "",
                    "%.0f/s, %.0f/s, %.0f/s",
                    perSecond[0],
                    perSecond[1],
                    perSecond[2]));
        }
    }

    private static double refreshesPerSecond(SeveralNodes nodes, int seconds) throws Exception {
        String[] tokens = new String[THREADS];
        for (int i = 0; i < THREADS; i++) {
            tokens[i] = Load.member("refresh_token", login(nodes, 0, "203.0.113." + (i + 1)));
        }
        return Load.perSecond(THREADS, seconds, number -> {
            String answer =
                    Load.expect(200, Load.send(address(nodes, 0) + "/auth/token", "refresh_token=" + tokens[number]));
            tokens[number] = Load.member("refresh_token", answer);
        });
    }

    private static String token(SeveralNodes nodes, int node, String source) {
        return Load.member("access_token", login(nodes, node, source));
    }

    private static String login(SeveralNodes nodes, int node, String source) {
        return Load.expect(200, Load.send(address(nodes, node) + "/auth/token", LOGIN, "X-Forwarded-For", source));
    }

    private static String address(SeveralNodes nodes, int node) {
        return "http://127.0.0.1:" + nodes.port(node);
    }

    /** The service with a database; not marked as a configuration, which the other nodes would find. */
    @Import(NodeApplication.class)
    static class OnADatabase {

        @Bean(destroyMethod = "close")
        HikariDataSource database(@Value("${measured.url}") String url) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(url);
            pool.setUsername("postgres");
            return pool;
        }
    }
}
