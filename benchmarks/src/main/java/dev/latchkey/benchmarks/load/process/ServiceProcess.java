package dev.latchkey.benchmarks.load.process;

import dev.latchkey.benchmarks.load.Addresses;
import dev.latchkey.benchmarks.load.HashPool;
import dev.latchkey.benchmarks.load.process.Program.Addition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A service under load, in a separate process, on a free port. */
public final class ServiceProcess implements AutoCloseable {

    private final Process process;
    private final int port;

    private ServiceProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts the service of the load scenarios; returns when the service listens. Passwords have the hashes of this pool. */
    public static ServiceProcess start(Set<Addition> additions, HashPool hashes, String... settings) {
        Stream<String> hashing = Stream.of("subject.hashing=" + hashes, "subject.hashes=" + hashes.file());
        return start(
                Program.SUBJECT,
                additions,
                Stream.concat(hashing, Arrays.stream(settings)).map(setting -> "--" + setting));
    }

    /** The same for another program, with these arguments. The service trusts the harness as a proxy. */
    public static ServiceProcess start(Program program, Set<Addition> additions, Stream<String> arguments) {
        List<String> command =
                program.command(additions, Stream.concat(arguments, Stream.of("--" + Addresses.TRUSTED)));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new ServiceProcess(process, port(program, process));
        } catch (IOException e) {
            throw new UncheckedIOException("The service did not start", e);
        }
    }

    /** Starts all services in parallel, because a start uses a single core. */
    public static <S> Map<S, ServiceProcess> startEach(S[] services, Function<S, ServiceProcess> start) {
        return Arrays.stream(services).parallel().collect(Collectors.toConcurrentMap(Function.identity(), start));
    }

    private static int port(Program program, Process process) throws IOException {
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder before = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            OptionalInt port = program.port(line);
            if (port.isPresent()) {
                drain(output);
                return port.getAsInt();
            }
            before.append(line).append('\n');
        }
        throw new IOException("The service ended before it listened:\n" + before);
    }

    /** Later output goes to the harness's log, so that the pipe never fills. */
    private static void drain(BufferedReader output) {
        Thread reader = new Thread(
                () -> output.lines().forEach(line -> System.err.println("  service: " + line)), "service-output");
        reader.setDaemon(true);
        reader.start();
    }

    public int port() {
        return port;
    }

    public long pid() {
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
