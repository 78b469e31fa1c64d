package dev.latchkey.plugins.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** Rows that somebody wrote by hand: the log names each mistake once, and does not grow with them. */
class MalformedRowsTest {

    private final JdbcDataSource database = new JdbcDataSource();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(JdbcPolicyStore.class);

    @BeforeEach
    void start() {
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        new ResourceDatabasePopulator(new ClassPathResource("schema-h2.sql", JdbcPolicyStore.class)).execute(database);
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void stop() {
        log.detachAppender(lines);
    }

    private void row(String role, String resource, String actions) {
        new JdbcTemplate(database)
                .update("INSERT INTO latchkey_role_permission VALUES (?, ?, ?)", role, resource, actions);
    }

    private List<String> logged() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void malformedIncludedRole_isLoggedOnce_andTheOtherRowsCount() {
        JdbcPolicyStore store = JdbcPolicyStore.in(database);
        row("reader", "a", "r");
        new JdbcTemplate(database).update("INSERT INTO latchkey_role_include VALUES (?, ?)", "writer", " ");
        store.load();
        assertThat(store.load()).isNotNull();
        assertThat(logged())
                .singleElement()
                .asString()
                .startsWith("A row of latchkey_role_include for the role 'writer' grants nothing: ");
    }

    @Test
    void mistake_isLoggedOnce_andAnotherOneTooWhenItComes() {
        JdbcPolicyStore store = JdbcPolicyStore.in(database);
        row("reader", "a", "r");
        store.load();
        assertThat(logged()).isEmpty();
        row("reader", "b**", "r");
        store.load();
        store.load();
        assertThat(logged())
                .singleElement()
                .asString()
                .startsWith("A row of latchkey_role_permission for the role 'reader' grants nothing: ")
                .contains("b**");
        row("writer", "b**", "r");
        store.load();
        assertThat(logged()).hasSize(2);
    }

    @Test
    void log_hasAHundredOfThem_andNoMore() {
        for (int i = 0; i < 102; i++) {
            row("role" + i, "b**", "r");
        }
        JdbcPolicyStore store = JdbcPolicyStore.in(database);
        store.load();
        store.load();
        assertThat(logged()).hasSize(100);
    }
}
