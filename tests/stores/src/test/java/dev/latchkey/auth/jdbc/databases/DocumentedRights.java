package dev.latchkey.auth.jdbc.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The database user that the README of auth-jdbc describes, with the user's rights. */
final class DocumentedRights {

    static final String USER = "shop";

    /** The user as these statements name the user. */
    private final String user;

    private DocumentedRights(String user) {
        this.user = user;
    }

    static DocumentedRights on(Server server) {
        boolean isPostgres = server.dialects().ofStores().equals("postgresql");
        return new DocumentedRights(isPostgres ? USER : "'" + USER + "'@'%'");
    }

    /** The statements for the tables of {@link Store}. */
    List<String> statements() {
        try {
            return Files.readAllLines(Path.of("../../auth-jdbc/README.md")).stream()
                    .filter(line -> line.startsWith("GRANT ") && line.endsWith(" TO shop;"))
                    .map(line -> line.replace("TO shop;", "TO " + user))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates the user, with rights on the service's own table too. */
    void give(DataSource ofTheOwner) {
        JdbcTemplate owner = new JdbcTemplate(ofTheOwner);
        owner.execute("CREATE USER " + user);
        owner.execute("GRANT SELECT, INSERT ON of_the_service TO " + user);
        statements().forEach(owner::execute);
    }

    /** Takes a right of the form {@code DELETE ON latchkey_login} away, or gives it. */
    String take(String right) {
        return "REVOKE " + right + " FROM " + user;
    }

    String give(String right) {
        return "GRANT " + right + " TO " + user;
    }
}
