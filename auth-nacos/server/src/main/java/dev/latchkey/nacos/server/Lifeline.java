package dev.latchkey.nacos.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Ends the process at the end of its input, even after a crash of the parent. Also runs commands from the input, for tests. */
final class Lifeline {

    private Lifeline() {}

    static void hold(InputStream input) {
        Thread reader = new Thread(() -> read(input), "lifeline");
        reader.setDaemon(true);
        reader.start();
    }

    private static void read(InputStream input) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                obey(line.split(" ", 2));
            }
        } catch (IOException | RuntimeException e) {
            System.out.println("The lifeline broke: " + e);
        } finally {
            Runtime.getRuntime().halt(1);
        }
    }

    private static void obey(String[] command) {
        switch (command[0]) {
            case "stop-database" -> EmbeddedDatabase.stop();
            case "add-users" -> EmbeddedDatabase.addUsers(Path.of(command[1]));
            default -> throw new IllegalArgumentException("No such command: " + command[0]);
        }
    }
}
