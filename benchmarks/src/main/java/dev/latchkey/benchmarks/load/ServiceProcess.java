package dev.latchkey.benchmarks.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A service under load, in a process of its own, on a port that the system chose. */
final class ServiceProcess implements AutoCloseable {

    private static final String MAIN = "dev.latchkey.benchmarks.services.SubjectApplication";
    private static final String STARTER = "auth-spring-boot-starter";

    /** Whether Latchkey's starter is on the class path: the one line that a service adds. */
    enum Starter {
        PRESENT,
        ABSENT
    }

    private final Process process;
    private final int port;

    private ServiceProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Returns when the service listens. */
    static ServiceProcess start(Starter starter, String... properties) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms256m",
                // As after an hour: pages that the system has yet to hand over make long pauses of short ones.
                "-XX:+AlwaysPreTouch",
                "-Xmx1g",
                "-cp",
                classPath(starter),
                MAIN));
        Arrays.stream(properties).map(property -> "--" + property).forEach(command::add);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new ServiceProcess(process, port(process));
        } catch (IOException e) {
            throw new UncheckedIOException("The service did not start", e);
        }
    }

    /** Starts all at the same time, since a start keeps one core busy. */
    static <S> Map<S, ServiceProcess> startEach(S[] services, Function<S, ServiceProcess> start) {
        return Arrays.stream(services).parallel().collect(Collectors.toConcurrentMap(Function.identity(), start));
    }

    private static String classPath(Starter starter) {
        Path target = Path.of(System.getProperty("benchmarks.home"), "services", "target");
        try {
            String jars = Files.readString(target.resolve("class-path.txt")).trim();
            return target.resolve("classes")
                    + java.io.File.pathSeparator
                    + Arrays.stream(jars.split(java.io.File.pathSeparator))
                            .filter(jar -> starter == Starter.PRESENT || !jar.contains(STARTER))
                            .collect(Collectors.joining(java.io.File.pathSeparator));
        } catch (IOException e) {
            throw new UncheckedIOException("Build first: ./mvnw -DskipTests package", e);
        }
    }

    private static int port(Process process) throws IOException {
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder before = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith("LISTENING ")) {
                drain(output);
                return Integer.parseInt(line.substring("LISTENING ".length()));
            }
            before.append(line).append('\n');
        }
        throw new IOException("The service ended before it listened:\n" + before);
    }

    /** What it says later goes to the harness's log, so that the pipe never fills. */
    private static void drain(BufferedReader output) {
        Thread reader = new Thread(
                () -> output.lines().forEach(line -> System.err.println("  service: " + line)), "service-output");
        reader.setDaemon(true);
        reader.start();
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
