package dev.latchkey.examples.nodes;

import static dev.latchkey.examples.nodes.Patience.until;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import redis.embedded.core.ExecutableProvider;

/** A Redis that writes each command to a file before the answer. The test can kill, pause and restart the process. */
final class StoreProcess implements AutoCloseable {

    private final Path folder;
    private final Path program;
    private final int port;
    private Process process;

    private StoreProcess(Path folder, Path program, int port) {
        this.folder = folder;
        this.program = program;
        this.port = port;
    }

    static StoreProcess started(Path folder, int port) throws IOException {
        Path program = ExecutableProvider.newJarResourceProvider(folder.toFile())
                .get()
                .toPath()
                .toAbsolutePath();
        StoreProcess store = new StoreProcess(folder, program, port);
        store.start();
        return store;
    }

    int port() {
        return port;
    }

    /** With the data of the folder. */
    void start() throws IOException {
        process = new ProcessBuilder(
                        program.toString(),
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--dir",
                        folder.toString(),
                        "--save",
                        "",
                        "--appendonly",
                        "yes",
                        "--appendfsync",
                        "always")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("store.log").toFile())
                .start();
        until("the store answers", this::isAnswering);
    }

    /** As {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
        until("the store is gone", () -> !process.isAlive());
    }

    /** A paused Redis answers nothing and keeps the connections. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process sent = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        if (!sent.waitFor(60, TimeUnit.SECONDS) || sent.exitValue() != 0) {
            throw new IllegalStateException("The signal was not sent");
        }
    }

    private boolean isAnswering() {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            connection.setSoTimeout(5_000);
            connection.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            // Redis answers an error while reading the file.
            return connection.getInputStream().read() == '+';
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        kill();
    }
}
