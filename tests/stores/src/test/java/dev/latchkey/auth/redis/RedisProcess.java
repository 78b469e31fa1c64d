package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;

import dev.latchkey.testsupport.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Redis, Valkey or Sentinel process. The test can kill, pause and restart the process. */
final class RedisProcess implements AutoCloseable {

    /** The bus of a Cluster listens at a port of its own. */
    private static final int PORTS_BEFORE_THE_BUS = 10_000;

    private static final String SERVES = "Ready to accept connections";
    private static final String WATCHES = "+monitor master";

    private final String program;
    private final Path folder;
    private final int port;
    private final List<String> arguments;
    private final String lastOfStart;
    private Process process;

    private RedisProcess(String program, Path folder, int port, List<String> arguments, String lastOfStart) {
        this.program = program;
        this.folder = folder;
        this.port = port;
        this.arguments = arguments;
        this.lastOfStart = lastOfStart;
    }

    /** A server that writes each command to a file in this folder before the answer. */
    static RedisProcess durable(Path folder) throws IOException {
        return started(folder, "--appendonly", "yes", "--appendfsync", "always");
    }

    /** A server at a free port. Without other settings, all data ends with the process. */
    static RedisProcess started(Path folder, String... settings) throws IOException {
        return started(RedisProgram.path(), folder, settings);
    }

    /** The same with another program. */
    static RedisProcess started(String program, Path folder, String... settings) throws IOException {
        int port = FreePort.nextBefore(PORTS_BEFORE_THE_BUS);
        List<String> arguments = new ArrayList<>(List.of(
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--dir",
                folder.toString(),
                "--save",
                "",
                // A replica is updated at once, without waiting for further replicas.
                "--repl-diskless-sync-delay",
                "0"));
        arguments.addAll(DocumentedUser.arguments());
        arguments.addAll(List.of(settings));
        RedisProcess made = new RedisProcess(program, folder, port, arguments, SERVES);
        made.start();
        return made;
    }

    /** A sentinel for the primary {@link TestRedis#PRIMARY}. The given number of sentinels must agree on an outage. */
    static RedisProcess sentinel(Path folder, int primary, int agreeing) throws IOException {
        int port = FreePort.nextBefore(PORTS_BEFORE_THE_BUS);
        // The sentinel writes its findings into this file.
        Path file = Files.write(
                folder.resolve("sentinel.conf"),
                List.of(
                        "port " + port,
                        "bind 127.0.0.1",
                        "dir " + folder,
                        "sentinel monitor " + TestRedis.PRIMARY + " 127.0.0.1 " + primary + " " + agreeing,
                        "sentinel down-after-milliseconds " + TestRedis.PRIMARY + " 1000",
                        "sentinel failover-timeout " + TestRedis.PRIMARY + " 5000"));
        RedisProcess made =
                new RedisProcess(RedisProgram.path(), folder, port, List.of(file.toString(), "--sentinel"), WATCHES);
        made.start();
        return made;
    }

    int port() {
        return port;
    }

    /** With the data of the folder. */
    void start() throws IOException {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(arguments);
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        until(this::isListening);
    }

    /** No client hears of the end: as {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
        until(() -> !process.isAlive());
    }

    /** A paused server answers nothing and keeps the connections, until {@link #resume}. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process sent = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        if (!sent.waitFor(10, TimeUnit.SECONDS) || sent.exitValue() != 0) {
            throw new IllegalStateException("The signal was not sent");
        }
    }

    /** Makes this server a replica of the primary. */
    void follow(RedisProcess primary) {
        ask("REPLICAOF 127.0.0.1 " + primary.port());
    }

    /** Makes this server a primary. */
    void promote() {
        ask("REPLICAOF NO ONE");
    }

    /** The server's report about itself; empty without an answer. */
    String info(String section) {
        return ask("INFO " + section);
    }

    private String ask(String command) {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            connection.setSoTimeout(5_000);
            connection.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
            String first = String.valueOf(answer.readLine());
            if (!first.startsWith("$")) {
                return first;
            }
            char[] text = new char[Integer.parseInt(first.substring(1))];
            int length = 0;
            for (int read = 0; read >= 0 && length < text.length; length += Math.max(0, read)) {
                read = answer.read(text, length, text.length - length);
            }
            return new String(text, 0, length);
        } catch (IOException e) {
            return "";
        }
    }

    private boolean isListening() {
        if (!process.isAlive()) {
            throw new IllegalStateException("It ended: " + log());
        }
        return log().contains(lastOfStart);
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            return "no log";
        }
    }

    @Override
    public void close() {
        kill();
    }
}
