package dev.latchkey.auth.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of the README for new versions of the tables. */
class ScriptsTest {

    private static final Path SCRIPTS = Path.of("src/main/resources/dev/latchkey/auth/jdbc");

    /** A NOT NULL column in a later script would stop the nodes of the version before. */
    private static final String FIRST = "CREATE TABLE IF NOT EXISTS [a-z_]+ \\(.*\\)";

    private static final String INDEX = "CREATE INDEX IF NOT EXISTS [a-z_]+ ON [a-z_]+ \\([a-z_, ]+\\)";
    private static final String COLUMN = "ALTER TABLE [a-z_]+ ADD COLUMN (IF NOT EXISTS )?[a-z_]+ (?!.*NOT NULL).*";
    private static final String ADDITION = FIRST + "|" + INDEX + "|" + COLUMN;

    @ParameterizedTest
    @EnumSource
    void scripts_areNumberedWithoutAGap(JdbcSchema schema) throws IOException {
        List<String> names = namesOf(schema);
        for (int i = 0; i < names.size(); i++) {
            assertThat(names.get(i)).isEqualTo("V" + (i + 1) + "__latchkey.sql");
        }
        assertThat(names).isNotEmpty().hasSameSizeAs(namesOf(JdbcSchema.H2));
        assertThat(schema.script()).endsWith(folderOf(schema) + "/" + names.get(0));
    }

    @ParameterizedTest
    @EnumSource
    void statements_onlyAdd(JdbcSchema schema) throws IOException {
        for (String name : namesOf(schema)) {
            assertThat(statementsIn(
                            Files.readString(SCRIPTS.resolve(folderOf(schema)).resolve(name))))
                    .isNotEmpty()
                    .allSatisfy(statement -> assertThat(statement).matches(ADDITION));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE latchkey_login DROP COLUMN device",
                "ALTER TABLE latchkey_login ADD COLUMN place BIGINT NOT NULL",
                "CREATE TABLE latchkey_login (id BIGINT)",
                "DROP TABLE latchkey_login"
            })
    void otherStatements_areFound(String statement) {
        assertThat(statement).doesNotMatch(ADDITION);
    }

    @Test
    void newNullableColumn_isAnAddition() {
        assertThat("ALTER TABLE latchkey_login ADD COLUMN place BIGINT").matches(ADDITION);
    }

    private static String folderOf(JdbcSchema schema) {
        return schema.name().toLowerCase(Locale.ROOT);
    }

    private static List<String> namesOf(JdbcSchema schema) throws IOException {
        try (Stream<Path> files = Files.list(SCRIPTS.resolve(folderOf(schema)))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static List<String> statementsIn(String script) {
        String text = script.replaceAll("(?m)^--.*$", "").replaceAll("\\s+", " ");
        return Arrays.stream(text.split(";", -1))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }
}
