package dev.latchkey.auth.password.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** The stores behind {@link PasswordUpgrade}: rows are compared and set. */
class StoredPasswordsTest {

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

    @Test
    void jdbcWhoseConnectionsDoNotCommitByThemselves_commits() throws SQLException {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:manual");
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("CREATE TABLE users (username VARCHAR(50), password VARCHAR(500))");
            connection.createStatement().execute("INSERT INTO users VALUES ('ann', 'old')");
            DataSource manual = (DataSource) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                        Connection opened = database.getConnection();
                        opened.setAutoCommit(false);
                        return opened;
                    });

            assertThat(new JdbcStoredPasswords(manual, "users", "username", "password").replace("ann", "old", "new"))
                    .isTrue();
            assertThat(password(connection, "ann")).isEqualTo("new");
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

    /** As {@code JdbcUserDetailsManager} of Spring Security 7 by default. */
    @Test
    void serviceThatKeepsTheHash_hasReplacedNothing() {
        InMemoryUserDetailsManager users = new InMemoryUserDetailsManager(
                User.withUsername("ann").password("old").roles("USER").build());
        assertThat(new UserDetailsStoredPasswords(users, new Answering(user -> user)).replace("ann", "old", "new"))
                .isFalse();
        UserDetailsPasswordService silent = new Answering(user -> {
            users.updatePassword(user, "new");
            return user;
        });
        assertThat(new UserDetailsStoredPasswords(users, silent).replace("ann", "old", "new"))
                .as("stored, and the former user returned")
                .isTrue();
    }

    private record Answering(UnaryOperator<UserDetails> answer) implements UserDetailsPasswordService {

        @Override
        public UserDetails updatePassword(UserDetails user, String newPassword) {
            return answer.apply(user);
        }
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
