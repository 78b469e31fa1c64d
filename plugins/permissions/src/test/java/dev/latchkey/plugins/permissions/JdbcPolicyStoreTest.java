package dev.latchkey.plugins.permissions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.testsupport.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The tables, on H2, on H2 as MySQL's script and mode have them, and on a real PostgreSQL. */
@Tag("long")
class JdbcPolicyStoreTest {

    private static final Subject ADA = Subject.of("ada");

    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.builder().setPort(FreePort.next()).start();
    }

    @AfterAll
    static void stop() throws IOException {
        postgres.close();
    }

    static Stream<Named<DataSource>> databases() {
        return Stream.of(
                Named.of("H2", with(h2(""), "h2")),
                Named.of("MySQL's mode of H2", with(h2(";MODE=MySQL"), "h2")),
                Named.of("PostgreSQL", emptied(with(postgres.getPostgresDatabase(), "postgresql"))));
    }

    private static DataSource h2(String mode) {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1" + mode);
        return h2;
    }

    /** The script may be run twice. */
    private static DataSource with(DataSource database, String script) {
        ClassPathResource text = new ClassPathResource("schema-" + script + ".sql", JdbcPolicyStore.class);
        new ResourceDatabasePopulator(text, text).execute(database);
        return database;
    }

    private static DataSource emptied(DataSource database) {
        new JdbcTemplate(database)
                .execute("TRUNCATE latchkey_role_permission, latchkey_role_include, latchkey_subject_role");
        return database;
    }

    private static Access asked(JdbcPolicyStore store, String resource, String action) {
        PermissionsPlugin plugin = PermissionsPlugin.of("permissions", store, Duration.ofSeconds(10));
        return plugin.authorize(ADA, new Permission(resource, action));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void grant_lasts_untilItsRemoval(DataSource database) {
        JdbcPolicyStore store = JdbcPolicyStore.in(database);
        store.grant("reader", "ns:*:config", "r");
        store.assign("ada", "reader");
        assertThat(asked(store, "ns:public:config", "r")).isEqualTo(Access.GRANTED);
        assertThat(asked(store, "ns:public:config", "w")).isEqualTo(Access.DENIED);
        store.grant("reader", "ns:*:config", "rw");
        assertThat(asked(store, "ns:public:config", "w")).isEqualTo(Access.GRANTED);
        assertThat(store.revoke("reader", "ns:*:config")).isTrue();
        assertThat(store.revoke("reader", "ns:*:config")).isFalse();
        assertThat(asked(store, "ns:public:config", "r")).isEqualTo(Access.DENIED);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void rolesOfASubject_areGivenAndTaken_andMayBeGivenTwice(DataSource database) {
        JdbcPolicyStore store = JdbcPolicyStore.in(database);
        store.assign("ada", "reader");
        store.assign("ada", "reader");
        assertThat(store.rolesOf("ada")).containsExactly("reader");
        store.assign("g".repeat(255), "reader");
        assertThat(store.rolesOf("g".repeat(255))).containsExactly("reader");
        assertThat(store.unassign("g".repeat(255), "other")).isFalse();
        assertThat(store.rolesOf("Ada")).isEmpty();
        assertThat(store.rolesOf("ada' OR '1'='1")).isEmpty();
        assertThat(store.unassign("ada", "reader")).isTrue();
        assertThat(store.rolesOf("ada")).isEmpty();
    }

    /** As in MySQL: a name with a trailing blank counts as the name without the blank. */
    @Test
    void databaseThatTakesTwoNamesForOne_givesNobodyTheOthersRoles() {
        DataSource lax = with(h2(""), "h2");
        new JdbcTemplate(lax)
                .execute(
                        "ALTER TABLE latchkey_subject_role ALTER COLUMN subject SET DATA TYPE VARCHAR_IGNORECASE(255)");
        JdbcPolicyStore store = JdbcPolicyStore.in(lax);
        store.assign("ada", "reader");
        assertThat(store.rolesOf("ada")).containsExactly("reader");
        assertThat(store.rolesOf("ADA")).isEmpty();
    }

    /** A statement that fails would end a transaction of PostgreSQL. */
    @ParameterizedTest
    @MethodSource("databases")
    void roleThatIsGivenTwice_leavesTheTransactionAroundItAlone(DataSource database) {
        JdbcPolicyStore store = JdbcPolicyStore.in(database);
        JdbcTemplate jdbc = new JdbcTemplate(database);
        new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult(status -> {
            store.assign("ada", "reader");
            store.assign("ada", "reader");
            store.include("editor", "reader");
            store.include("editor", "reader");
            jdbc.update("INSERT INTO latchkey_subject_role VALUES ('ada', 'editor')");
        });
        assertThat(store.rolesOf("ada")).containsExactlyInAnyOrder("reader", "editor");
    }

    @ParameterizedTest
    @MethodSource("databases")
    void rowsThatTheCallerMayRollBack_areInNobodysPolicy(DataSource database) {
        JdbcPolicyStore store = JdbcPolicyStore.in(database);
        JdbcTemplate jdbc = new JdbcTemplate(database);
        PermissionsPlugin plugin = PermissionsPlugin.of("permissions", store, Duration.ofSeconds(10));
        new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult(status -> {
            jdbc.update("INSERT INTO latchkey_role_permission VALUES ('reader', 'a', 'r')");
            jdbc.update("INSERT INTO latchkey_subject_role VALUES ('ada', 'reader')");
            plugin.authorize(ADA, new Permission("a", "r"));
            status.setRollbackOnly();
        });
        assertThat(plugin.authorize(ADA, new Permission("a", "r"))).isEqualTo(Access.DENIED);
    }

    /** Between two statements another node may change the policy. The check for a primary reads no policy. */
    @ParameterizedTest
    @MethodSource("databases")
    void policy_isReadByOneStatement(DataSource database) {
        JdbcPolicyStore.in(database).grant("reader", "a", "r");
        List<String> statements = new CopyOnWriteArrayList<>();
        JdbcPolicyStore.in(noting(statements, database)).load();
        assertThat(statements).filteredOn(each -> each.startsWith("SELECT")).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void simultaneousEqualGrants_bothSucceed(DataSource database) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Object> grant = () -> {
                JdbcPolicyStore.in(database).grant("reader", "a", "r");
                return true;
            };
            for (Future<Object> each : threads.invokeAll(Collections.nCopies(8, grant))) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(JdbcPolicyStore.in(database).load().size()).isEqualTo(1);
    }

    private static DataSource noting(List<String> statements, DataSource database) {
        return new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection real = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        Connection.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (self, method, values) -> {
                            if (method.getName().equals("prepareStatement")) {
                                statements.add(String.valueOf(values[0]));
                            }
                            return method.invoke(real, values);
                        });
            }
        };
    }

    @ParameterizedTest
    @MethodSource("databases")
    void rolesIncludeRoles_withoutLoops(DataSource database) {
        JdbcPolicyStore store = JdbcPolicyStore.in(database);
        store.grant("reader", "a", "r");
        store.include("editor", "reader");
        store.include("editor", "reader");
        store.include("admin", "editor");
        store.assign("ada", "admin");
        assertThat(asked(store, "a", "r")).isEqualTo(Access.GRANTED);
        assertThatIllegalArgumentException().isThrownBy(() -> store.include("reader", "admin"));
        assertThatIllegalArgumentException().isThrownBy(() -> store.include("reader", "reader"));
        assertThat(store.exclude("admin", "editor")).isTrue();
        assertThat(store.exclude("admin", "editor")).isFalse();
        assertThat(asked(store, "a", "r")).isEqualTo(Access.DENIED);
    }

    /** As a primary that has become a replica: the new primary may have removed the other inclusion. */
    @Test
    void loopOnAServerThatAcceptsNoChanges_isAnOutage() {
        DataSource database = emptied(with(postgres.getPostgresDatabase(), "postgresql"));
        JdbcPolicyStore.in(database).include("editor", "reader");
        JdbcPolicyStore replica = JdbcPolicyStore.in(new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                connection.createStatement().execute("SET default_transaction_read_only = on");
                return connection;
            }
        });
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> replica.include("reader", "editor"))
                .withMessageContaining("accepts no changes");
    }

    @ParameterizedTest
    @MethodSource("databases")
    void rowThatIsNoPermission_grantsNothing_andHidesNoOther(DataSource database) {
        JdbcPolicyStore store = JdbcPolicyStore.in(database);
        store.grant("reader", "a", "r");
        store.assign("ada", "reader");
        JdbcTemplate jdbc = new JdbcTemplate(database);
        jdbc.update("INSERT INTO latchkey_role_permission VALUES ('reader', 'b**', 'r')");
        jdbc.update("INSERT INTO latchkey_role_permission VALUES ('reader', 'c', ';')");
        jdbc.update("INSERT INTO latchkey_role_include VALUES ('x', 'y')");
        jdbc.update("INSERT INTO latchkey_role_include VALUES ('y', 'x')");
        assertThat(asked(store, "a", "r")).isEqualTo(Access.GRANTED);
        assertThat(asked(store, "bx", "r")).isEqualTo(Access.DENIED);
        assertThat(asked(store, "c", "r")).isEqualTo(Access.DENIED);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void malformedPermission_isNotWritten(DataSource database) {
        JdbcPolicyStore store = JdbcPolicyStore.in(database);
        assertThatIllegalArgumentException().isThrownBy(() -> store.grant("reader", "b**", "r"));
        assertThatIllegalArgumentException().isThrownBy(() -> store.grant("reader", "b", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> store.grant("", "b", "r"));
        assertThatIllegalArgumentException().isThrownBy(() -> store.assign("a".repeat(256), "reader"));
        assertThatIllegalArgumentException().isThrownBy(() -> store.assign("ada", " "));
        assertThatIllegalArgumentException().isThrownBy(() -> store.include("", "reader"));
        assertThatIllegalArgumentException().isThrownBy(() -> store.include("reader", "r".repeat(256)));
        assertThat(store.load().size()).isZero();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void databaseThatFails_isAnOutage(DataSource database) {
        new JdbcTemplate(database).execute("DROP TABLE latchkey_role_permission");
        JdbcPolicyStore store = JdbcPolicyStore.in(database);
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(store::load)
                .withMessageNotContaining("latchkey_role_permission")
                .withMessageContaining("run the script dev/latchkey/plugins/permissions/schema-");
        with(database, "h2");
    }
}
