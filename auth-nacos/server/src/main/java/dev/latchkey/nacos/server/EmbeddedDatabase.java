package dev.latchkey.nacos.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Direct access of tests to the server's database. Only the server's process can open the database. */
final class EmbeddedDatabase {

    private static final int BATCH = 1_000;

    private EmbeddedDatabase() {}

    /** Derby always reports a shutdown as an exception. */
    static void stop() {
        try {
            DriverManager.getConnection("jdbc:derby:;shutdown=true").close();
        } catch (SQLException e) {
            System.out.println("The database was stopped: " + e.getMessage());
        }
    }

    /**
     * Adds {@code account0} and so on, each with a hash from a line of this file. Through the server, each user would
     * cost a hash.
     */
    static void addUsers(Path hashes) {
        String url = "jdbc:derby:" + System.getProperty("nacos.home") + "/data/derby-data";
        try (Connection connection = DriverManager.getConnection(url, "nacos", "nacos");
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO users (username, password, enabled) VALUES (?, ?, true)")) {
            connection.setAutoCommit(false);
            int count = 0;
            for (String hash : Files.readAllLines(hashes, StandardCharsets.US_ASCII)) {
                insert.setString(1, "account" + count);
                insert.setString(2, hash);
                insert.addBatch();
                count++;
                if (count % BATCH == 0) {
                    insert.executeBatch();
                }
            }
            insert.executeBatch();
            connection.commit();
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("The users cannot be added", e);
        }
    }
}
