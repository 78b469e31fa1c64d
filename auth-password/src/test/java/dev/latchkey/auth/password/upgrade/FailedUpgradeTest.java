package dev.latchkey.auth.password.upgrade;

import static dev.latchkey.auth.password.upgrade.UpgradeScene.OLD;
import static dev.latchkey.auth.password.upgrade.UpgradeScene.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.password.Cheap;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** A store that takes no updates. */
class FailedUpgradeTest {

    private final UpgradeScene scene = new UpgradeScene();

    @Test
    void replacementThatFails_isNotPaidForAtTheNextLogin_butLater() {
        List<String> attempts = new ArrayList<>();
        PasswordUpgrade upgrade = scene.upgrade((account, expected, replacement) -> {
            attempts.add(account);
            throw AuthUnavailableException.outage("read-only replica");
        });

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        scene.pace.runAll();
        upgrade.afterSuccess("ann", PASSWORD, OLD);
        scene.pace.runAll();
        assertThat(attempts).containsExactly("ann");
        scene.nanos += AccountsAtRest.REST.toNanos() - 1;
        upgrade.afterSuccess("ann", PASSWORD, OLD);
        scene.pace.runAll();
        assertThat(attempts).containsExactly("ann");
        scene.nanos++;
        upgrade.afterSuccess("ann", PASSWORD, OLD);
        scene.pace.runAll();

        assertThat(attempts).containsExactly("ann", "ann");
        assertThat(upgrade.failed()).isEqualTo(2);
    }

    /** As with a padded column or a folded name: the stored value never equals the written value. */
    @Test
    void storeThatAnswersNo_isNotPaidForAtTheNextLogin_butLater() {
        List<String> attempts = new ArrayList<>();
        PasswordUpgrade upgrade = scene.upgrade((account, expected, replacement) -> {
            attempts.add(account);
            return false;
        });

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        scene.pace.runAll();
        upgrade.afterSuccess("ann", PASSWORD, OLD);
        scene.pace.runAll();
        assertThat(attempts).containsExactly("ann");
        scene.nanos += AccountsAtRest.REST.toNanos() - 1;
        upgrade.afterSuccess("ann", PASSWORD, OLD);
        scene.pace.runAll();
        assertThat(attempts).containsExactly("ann");
        scene.nanos++;
        upgrade.afterSuccess("ann", PASSWORD, OLD);
        scene.pace.runAll();

        assertThat(attempts).containsExactly("ann", "ann");
        assertThat(upgrade.declined()).isEqualTo(2);
        assertThat(upgrade.failed()).isZero();
        assertThat(upgrade.replaced()).isZero();
    }

    @Test
    void onlySoManyFailuresAreRemembered_andTheOldestAreForgotten() {
        List<String> attempts = new ArrayList<>();
        StoredPasswords broken = (account, expected, replacement) -> {
            attempts.add(account);
            // Not logged, as it passes by itself.
            throw AuthUnavailableException.overload("busy", Duration.ZERO);
        };
        PasswordUpgrade upgrade =
                PasswordUpgrade.of(scene.encoders.withDefault(Cheap.pbkdf2()), broken, scene.pace, () -> scene.nanos);
        for (int i = 0; i <= AccountsAtRest.MAX_REMEMBERED; i++) {
            upgrade.afterSuccess("user" + i, PASSWORD, OLD);
            scene.pace.runAll();
        }
        attempts.clear();

        upgrade.afterSuccess("user1", PASSWORD, OLD);
        scene.pace.runAll();
        upgrade.afterSuccess("user0", PASSWORD, OLD);
        scene.pace.runAll();
        assertThat(attempts).containsExactly("user0");
    }

    @Test
    void oneFailure_doesNotStopTheOthers() {
        scene.table.put("bob", OLD);
        PasswordUpgrade upgrade = scene.upgrade((account, expected, replacement) -> {
            if (account.equals("ann")) {
                throw new IllegalStateException("no");
            }
            return scene.inTable(account, expected, replacement);
        });

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        upgrade.afterSuccess("bob", PASSWORD, OLD);
        scene.pace.runAll();

        assertThat(scene.encoders.upgradeEncoding(scene.table.get("bob"))).isFalse();
    }

    /** Databases quote the rejected value: this database does so, in a message from outside of this library. */
    @Test
    void failure_isLoggedWithoutTheMessages_whichMayHoldTheHash() throws SQLException {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:narrow");
        List<LogRecord> logged = new ArrayList<>();
        Logger logger = Logger.getLogger(PasswordUpgrade.class.getName());
        Handler listener = listenerTo(logged);
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("CREATE TABLE users (username VARCHAR(50), password VARCHAR(66))");
            connection.createStatement().execute("INSERT INTO users VALUES ('ann', '" + OLD + "')");
            PasswordUpgrade upgrade = scene.upgrade(new JdbcStoredPasswords(database, "users", "username", "password"));
            logger.addHandler(listener);

            upgrade.afterSuccess("ann", PASSWORD, OLD);
            scene.pace.runAll();
        } finally {
            logger.removeHandler(listener);
        }

        assertThat(logged).singleElement().satisfies(line -> {
            assertThat(line.getMessage())
                    .contains("the next attempt is in 30 minutes", "JdbcSQLDataException (SQL state 22001)")
                    .doesNotContain("{bcrypt}", "ann");
            assertThat(line.getThrown()).isNull();
        });
    }

    private static Handler listenerTo(List<LogRecord> logged) {
        return new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }
}
