package dev.latchkey.auth.jdbc.databases;

import static dev.latchkey.testsupport.Until.until;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The MySQL of this machine, with an empty folder of its own. The server ends with this process. */
final class MySqlServer {

    private static final Optional<Path> PROGRAM = Programs.find("mysqld").filter(MySqlServer::isMySql);

    private MySqlServer() {}

    /** For conditions of tests. Many systems call MariaDB's server {@code mysqld} too. */
    static boolean isInstalled() {
        return PROGRAM.isPresent();
    }

    static boolean isMySql(Path program) {
        try {
            Process asked = new ProcessBuilder(program.toString(), "--no-defaults", "--version")
                    .redirectErrorStream(true)
                    .start();
            String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return asked.waitFor() == 0 && isMySql(answer);
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** MySQL 8 and newer have versions as {@code Ver 8.0.39-0ubuntu0.22.04.1}. */
    static boolean isMySql(String version) {
        return version.matches("(?s).*\\bVer ([89]|\\d\\d)\\.\\d+\\.\\d+.*") && !version.contains("MariaDB");
    }

    /** Starts the server and returns its port. */
    static int start() {
        try {
            Path folder = Files.createTempDirectory("latchkey-mysql");
            Path log = folder.resolve("log");
            Path data = folder.resolve("data");
            run(log, "--initialize-insecure", "--datadir=" + data);
            int port = freePort();
            Process server = process(
                    log,
                    "--datadir=" + data,
                    "--port=" + port,
                    "--bind-address=127.0.0.1",
                    "--socket=" + folder.resolve("socket"),
                    "--pid-file=" + folder.resolve("pid"),
                    "--mysqlx=OFF",
                    "--skip-log-bin",
                    "--default-time-zone=-05:00");
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

    private static void run(Path log, String... arguments) throws IOException {
        try {
            Process process = process(log, arguments);
            if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException("MySQL did not make its folder: " + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** The server refuses to run as root unless the user is named. */
    private static Process process(Path log, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(PROGRAM.orElseThrow().toString(), "--no-defaults"));
        command.add("--user=" + System.getProperty("user.name"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
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
