package dev.latchkey.examples.quickstart;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packaged quickstart, running as a process of its own on a free port. */
final class ServiceProcess implements AutoCloseable {

    private static final Pattern STARTED = Pattern.compile(".*Tomcat started on port (\\d+).*");
    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(2);

    private static final String END = "<end of output>";

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> log = new ArrayList<>();
    private final Thread reader;
    private final int port;

    private ServiceProcess(Process process) throws IOException {
        this.process = process;
        this.reader = new Thread(this::readAll, "service output");
        reader.setDaemon(true);
        reader.start();
        this.port = awaitPort();
    }

    /** Starts the jar in this folder, the place of the key, and returns after the first answer. */
    static ServiceProcess start(Path folder, String... arguments) throws IOException {
        return run(folder, List.of(), arguments);
    }

    /** The same on the code that the build has made of the context ahead of time. */
    static ServiceProcess startAheadOfTime(Path folder, String... arguments) throws IOException {
        return run(folder, List.of("-Dspring.aot.enabled=true"), arguments);
    }

    private static ServiceProcess run(Path folder, List<String> options, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        // For a few requests: the second compiler and collections of a small metaspace would take longer than the
        // requests.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:MetaspaceSize=256m"));
        command.addAll(List.of(
                "-jar",
                Path.of("target", "quickstart.jar").toAbsolutePath().toString(),
                // A busy machine must not look like too many logins.
                "--latchkey.guard.max-wait=60s"));
        command.addAll(List.of(arguments));
        if (List.of(arguments).stream().noneMatch(argument -> argument.startsWith("--server.port="))) {
            command.add("--server.port=0");
        }
        return new ServiceProcess(new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start());
    }

    int port() {
        return port;
    }

    /** Sends SIGTERM, as a container or systemd does; through the handle, since the process would close its output. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** The exit code, once the process has ended by itself. */
    int awaitExit() throws InterruptedException {
        if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("The service did not stop within " + STOP_LIMIT + ":\n" + output());
        }
        reader.join();
        return process.exitValue();
    }

    /** Returns after the service has printed this text, perhaps later than its first answers. */
    void awaitOutput(String text) throws InterruptedException {
        long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
        synchronized (log) {
            while (!output().contains(text)) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0) {
                    throw new AssertionError("The service did not print '" + text + "':\n" + output());
                }
                log.wait(left);
            }
        }
    }

    /** All that the service has printed by now. */
    String output() {
        synchronized (log) {
            return String.join("\n", log);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    private int awaitPort() throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        try {
            while (System.nanoTime() < deadline) {
                String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (line == null || line.equals(END)) {
                    break;
                }
                Matcher started = STARTED.matcher(line);
                if (started.matches()) {
                    return Integer.parseInt(started.group(1));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        throw new IOException("The service did not start:\n" + output());
    }

    private void readAll() {
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                synchronized (log) {
                    log.add(line);
                    log.notifyAll();
                }
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("Output ended: " + e);
        }
        lines.add(END);
    }
}
