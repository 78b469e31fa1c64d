package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** Row P6 of the catalogue. */
class PasswordUpgradeTest {

    private static final String PASSWORD = "correct horse";
    private static final String OLD = "{SSHA}TmX8LrrVRFvgTaP2MUaAdeNc2yP7XyuF";

    private final PasswordEncoders encoders = Cheap.encoders();
    private final ManualPace pace = new ManualPace();
    private final Map<String, String> table = new ConcurrentHashMap<>();
    private Instant now = Instant.parse("2026-11-21T12:00:00Z");

    /** Runs a task when told to. */
    private static final class ManualPace implements Pace {
        private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        private final List<Duration> rests = new ArrayList<>();
        private boolean closed;

        @Override
        public void after(Duration rest, Runnable task) {
            rests.add(rest);
            tasks.add(task);
        }

        void runAll() {
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private PasswordUpgrade upgrade(StoredPasswords store) {
        return PasswordUpgrade.of(encoders, store, pace, (InstantSource) () -> now);
    }

    private boolean inTable(String account, String expected, String replacement) {
        return table.replace(account, expected, replacement);
    }

    @Test
    void oldHash_isReplacedAfterTheAnswer_once() {
        table.put("ann", OLD);
        PasswordUpgrade upgrade = upgrade(this::inTable);

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        upgrade.afterSuccess("ann", PASSWORD, OLD);
        assertThat(table).containsEntry("ann", OLD);
        assertThat(pace.tasks).hasSize(1);
        pace.runAll();

        assertThat(encoders.matches(PASSWORD, table.get("ann"))).isTrue();
        assertThat(encoders.upgradeEncoding(table.get("ann"))).isFalse();
        assertThat(upgrade.replaced()).isEqualTo(1);
        assertThat(upgrade.failed()).isZero();
    }

    @Test
    void currentHash_isLeftAlone() {
        upgrade(this::inTable).afterSuccess("ann", PASSWORD, encoders.encode(PASSWORD));

        assertThat(pace.tasks).isEmpty();
    }

    @Test
    void passwordChangedInTheMeantime_isNotOverwritten() {
        table.put("ann", OLD);
        PasswordUpgrade upgrade = upgrade(this::inTable);

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        table.put("ann", "{SSHA}another");
        pace.runAll();

        assertThat(table).containsEntry("ann", "{SSHA}another");
        assertThat(upgrade.replaced()).isZero();
    }

    @Test
    void replacementThatFails_isNotPaidForAtTheNextLogin_butLater() {
        List<String> attempts = new ArrayList<>();
        PasswordUpgrade upgrade = upgrade((account, expected, replacement) -> {
            attempts.add(account);
            throw AuthUnavailableException.outage("read-only replica");
        });

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        pace.runAll();
        upgrade.afterSuccess("ann", PASSWORD, OLD);
        pace.runAll();
        assertThat(attempts).containsExactly("ann");
        now = now.plus(PasswordUpgrade.REST_AFTER_FAILURE);
        upgrade.afterSuccess("ann", PASSWORD, OLD);
        pace.runAll();

        assertThat(attempts).containsExactly("ann", "ann");
        assertThat(upgrade.failed()).isEqualTo(2);
    }

    @Test
    void oneFailure_doesNotStopTheOthers() {
        table.put("bob", OLD);
        PasswordUpgrade upgrade = upgrade((account, expected, replacement) -> {
            if (account.equals("ann")) {
                throw new IllegalStateException("no");
            }
            return inTable(account, expected, replacement);
        });

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        upgrade.afterSuccess("bob", PASSWORD, OLD);
        pace.runAll();

        assertThat(encoders.upgradeEncoding(table.get("bob"))).isFalse();
    }

    @Test
    void queueIsBounded_andTheNextLoginTriesAgain() {
        PasswordUpgrade upgrade = upgrade((account, expected, replacement) -> true);
        for (int i = 0; i <= PasswordUpgrade.MAX_PENDING; i++) {
            upgrade.afterSuccess("user" + i, PASSWORD, OLD);
        }
        assertThat(upgrade.dropped()).isEqualTo(1);
        pace.runAll();
        upgrade.afterSuccess("user" + PasswordUpgrade.MAX_PENDING, PASSWORD, OLD);
        pace.runAll();

        assertThat(upgrade.replaced()).isEqualTo(PasswordUpgrade.MAX_PENDING + 1);
    }

    @Test
    void theThreadRests_asLongAsItWorked() {
        PasswordUpgrade upgrade = upgrade((account, expected, replacement) -> {
            now = now.plusMillis(80);
            return true;
        });

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        upgrade.afterSuccess("bob", PASSWORD, OLD);
        pace.runAll();

        assertThat(pace.rests)
                .containsExactly(PasswordUpgrade.FIRST_DELAY, Duration.ofMillis(80), Duration.ofMillis(80));
    }

    @Test
    void passwordTooLongForTheNewAlgorithm_keepsItsOldHash() {
        PasswordUpgrade upgrade = upgrade(this::inTable);

        upgrade.afterSuccess("ann", "x".repeat(73), OLD);

        assertThat(pace.tasks).isEmpty();
        assertThat(upgrade.failed()).isZero();
    }

    @Test
    void closed_takesNothingMore_andDoesNothingMore() {
        table.put("ann", OLD);
        PasswordUpgrade upgrade = upgrade(this::inTable);

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        upgrade.close();
        upgrade.afterSuccess("bob", PASSWORD, OLD);
        pace.runAll();

        assertThat(pace.closed).isTrue();
        assertThat(table).containsEntry("ann", OLD);
    }

    @Test
    void onItsOwnThread_itReplacesToo() throws Exception {
        table.put("ann", OLD);
        CountDownLatch done = new CountDownLatch(1);
        try (PasswordUpgrade upgrade = PasswordUpgrade.of(encoders, (account, expected, replacement) -> {
            boolean replaced = inTable(account, expected, replacement);
            done.countDown();
            return replaced;
        })) {
            upgrade.afterSuccess("ann", PASSWORD, OLD);
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(encoders.matches(PASSWORD, table.get("ann"))).isTrue();
    }

    @Test
    void jdbc_comparesAndSets() throws SQLException {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:upgrade");
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("CREATE TABLE users (username VARCHAR(50), password VARCHAR(500))");
            connection.createStatement().execute("INSERT INTO users VALUES ('ann', 'old'), ('bob', 'old')");
            JdbcStoredPasswords store = new JdbcStoredPasswords(database, "users", "username", "password");

            assertThat(store.replace("ann", "other", "new")).isFalse();
            assertThat(store.replace("eve", "old", "new")).isFalse();
            assertThat(store.replace("ann' OR '1'='1", "old", "new")).isFalse();
            assertThat(store.replace("ann", "old", "new")).isTrue();
            assertThat(password(connection, "ann")).isEqualTo("new");
            assertThat(password(connection, "bob")).isEqualTo("old");
        }
    }

    private static String password(Connection connection, String account) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT password FROM users WHERE username = ?")) {
            select.setString(1, account);
            ResultSet row = select.executeQuery();
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    @Test
    void jdbcThatIsDown_isAnOutage_andNamesAreChecked() {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:empty");

        assertThatThrownBy(
                        () -> new JdbcStoredPasswords(database, "users", "username", "password").replace("a", "b", "c"))
                .isInstanceOf(AuthUnavailableException.class);
        for (String name : List.of("users; DROP TABLE users", "", "a.b.c", "1a", "a\"b")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new JdbcStoredPasswords(database, name, "username", "password"));
        }
        assertThat(new JdbcStoredPasswords(database, "auth.users", "username", "password"))
                .isNotNull();
    }

    @Test
    void springsPasswordService_isAskedOnlyIfTheHashIsStillTheSame() {
        InMemoryUserDetailsManager users = new InMemoryUserDetailsManager(
                User.withUsername("ann").password("old").roles("USER").build());
        StoredPasswords store = new UserDetailsStoredPasswords(users, users);

        assertThat(store.replace("ann", "other", "new")).isFalse();
        assertThat(users.loadUserByUsername("ann").getPassword()).isEqualTo("old");
        assertThat(store.replace("eve", "old", "new")).isFalse();
        assertThat(store.replace("ann", "old", "new")).isTrue();
        assertThat(users.loadUserByUsername("ann").getPassword()).isEqualTo("new");
    }

    @Test
    void userWhoIsGone_isNotUpdated() {
        UserDetailsService nobody = name -> {
            throw new UsernameNotFoundException("gone");
        };
        UserDetailsPasswordService never = new UserDetailsPasswordService() {
            @Override
            public UserDetails updatePassword(UserDetails user, String newPassword) {
                throw new AssertionError("asked");
            }
        };

        assertThat(new UserDetailsStoredPasswords(nobody, never).replace("ann", "old", "new"))
                .isFalse();
    }
}
