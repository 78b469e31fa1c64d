package dev.latchkey.auth.jdbc.databases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.jdbc.JdbcSchema;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The documented rights are the least: the start notices each missing right on the tables of revocations and sessions. */
class DatabaseRightsTest {

    private static final Server LIMITED = PostgresStoresTest.limited();
    private static final DocumentedRights RIGHTS = DocumentedRights.on(LIMITED);

    private final JdbcTemplate owner =
            new JdbcTemplate(PostgresStoresTest.server("postgres").plain());

    /** Each right of the documented statements, such as {@code DELETE ON latchkey_login}. */
    static Stream<String> rightsOfTheStart() {
        return RIGHTS.statements().stream()
                .filter(each -> each.contains("latchkey_revocation ") || each.contains("latchkey_login "))
                .flatMap(DatabaseRightsTest::single);
    }

    private static Stream<String> single(String statement) {
        List<String> parts = List.of(statement.substring("GRANT ".length()).split(" ON | TO ", -1));
        return Arrays.stream(parts.get(0).split(", ", -1)).map(right -> right + " ON " + parts.get(1));
    }

    @Test
    void documentedRights_areEnoughForTheStart() {
        assertThat(rightsOfTheStart()).hasSize(7);
        assertThat(hasTables()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("rightsOfTheStart")
    void missingRight_isNoticedAtTheStart(String right) {
        owner.execute(RIGHTS.take(right));
        try {
            assertThat(hasTables()).isFalse();
        } finally {
            owner.execute(RIGHTS.give(right));
        }
        assertThat(hasTables()).isTrue();
    }

    private static boolean hasTables() {
        DataSource limited = LIMITED.plain();
        return JdbcSchema.hasRevocations(limited) && JdbcSchema.hasLogins(limited);
    }
}
