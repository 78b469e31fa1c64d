package dev.latchkey.benchmarks.load.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is started as a service, as the build left it: with Latchkey's starter on its class path, or without. */
public enum Program {

    /** {@code benchmarks/services}: plays all services of the load scenarios. */
    SUBJECT(
            "dev.latchkey.benchmarks.services.SubjectApplication",
            "LISTENING (\\d+)",
            // As after an hour: pages that the system has yet to hand over make long pauses of short ones.
            "-Xms256m",
            "-XX:+AlwaysPreTouch",
            "-Xmx1g") {
        @Override
        Stream<String> classPathFor(Starter starter) {
            Path target = HOME.resolve("services/target");
            return Stream.concat(Stream.of(target.resolve("classes").toString()), read(target))
                    .filter(entry -> starter == Starter.PRESENT || !isStarter(entry));
        }
    },

    /** {@code benchmarks/request}: one endpoint behind one of several filter chains. */
    REQUEST(
            "dev.latchkey.benchmarks.request.RequestService",
            "LISTENING (\\d+)",
            "-XX:+UseSerialGC",
            "-Xms256m",
            "-Xmx256m",
            "-Xmn64m",
            "-XX:+AlwaysPreTouch",
            "-XX:-UseDynamicNumberOfCompilerThreads") {
        @Override
        Stream<String> classPathFor(Starter starter) {
            Path target = HOME.resolve("request/target");
            return Stream.concat(Stream.of(target.resolve("classes").toString()), read(target))
                    .filter(entry -> starter == Starter.PRESENT || !isStarter(entry));
        }
    },

    /** {@code examples/plain-service}: knows nothing of Latchkey, nor of this harness. */
    PLAIN(
            "dev.latchkey.examples.plain.PlainService",
            "Tomcat started on port (\\d+)",
            // Threads that come and go, and a collector that works beside them, would make a ruler of rubber.
            "-XX:+UseSerialGC",
            "-Xms256m",
            "-Xmx256m",
            "-Xmn64m",
            "-XX:+AlwaysPreTouch",
            "-XX:-UseDynamicNumberOfCompilerThreads") {
        @Override
        Stream<String> classPathFor(Starter starter) {
            Path plain = HOME.resolveSibling("examples").resolve("plain-service");
            return starter == Starter.PRESENT
                    ? read(plain.resolve("with-latchkey/target"))
                    : Stream.concat(
                            Stream.of(plain.resolve("target/plain-service.jar").toString()),
                            read(plain.resolve("target")));
        }
    };

    private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));
    private static final String STARTER = "auth-spring-boot-starter";
    private static final Path HOME =
            Path.of(System.getProperty("benchmarks.home", ".")).toAbsolutePath();

    /** Whether Latchkey's starter is on the class path: the one line that a service adds. */
    public enum Starter {
        PRESENT,
        ABSENT
    }

    private final String main;
    private final Pattern listening;
    private final List<String> options;

    Program(String main, String listening, String... options) {
        this.main = main;
        this.listening = Pattern.compile(listening);
        this.options = List.of(options);
    }

    abstract Stream<String> classPathFor(Starter starter);

    /** The command that starts it. */
    public List<String> command(Starter starter, String... properties) {
        return command(starter, entry -> true, Arrays.stream(properties).map(property -> "--" + property));
    }

    /**
     * The same with these arguments.
     *
     * @param kept which entries of the class path stay
     */
    public List<String> command(Starter starter, Predicate<String> kept, Stream<String> arguments) {
        List<String> classPath = classPathFor(starter).filter(kept).toList();
        if (classPath.stream().anyMatch(Program::isStarter) != (starter == Starter.PRESENT)) {
            throw new IllegalStateException("Built otherwise than expected: the starter must be " + starter);
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return Stream.of(
                        Stream.of(java),
                        options.stream(),
                        Stream.of("-cp", classPath.stream().collect(Collectors.joining(File.pathSeparator)), main),
                        arguments)
                .flatMap(part -> part)
                .toList();
    }

    /** The port, if this line of its output tells that it listens. */
    public OptionalInt port(String line) {
        Matcher matcher = listening.matcher(line);
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }

    private static boolean isStarter(String entry) {
        return entry.contains(STARTER);
    }

    private static Stream<String> read(Path target) {
        try {
            return SEPARATOR.splitAsStream(
                    Files.readString(target.resolve("class-path.txt")).trim());
        } catch (IOException e) {
            throw new UncheckedIOException("Build first: ./mvnw -DskipTests package", e);
        }
    }
}
