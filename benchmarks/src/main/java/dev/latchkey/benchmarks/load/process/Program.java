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

/** The program of a service, as built: with or without Latchkey's starter on its class path. */
public enum Program {
    /** {@code benchmarks/services}: plays all services of the load scenarios. */
    SUBJECT("dev.latchkey.benchmarks.services.SubjectApplication", "LISTENING (\\d+)", false),
    /** {@code benchmarks/services}: an endpoint behind each of several filter chains. */
    REQUEST("dev.latchkey.benchmarks.request.RequestService", "LISTENING (\\d+)", true),
    /** {@code benchmarks/services}: without Latchkey and without the harness. */
    PLAIN("dev.latchkey.benchmarks.plain.PlainService", "Tomcat started on port (\\d+)", true);

    /** As after an hour: new memory pages of the system would lengthen short pauses. */
    private static final List<String> LOADED = List.of("-Xms256m", "-XX:+AlwaysPreTouch", "-Xmx1g");

    /** Short-lived threads and a concurrent collector would make measurements unsteady. */
    private static final List<String> STEADY = List.of(
            "-XX:+UseSerialGC",
            "-Xms256m",
            "-Xmx256m",
            "-Xmn64m",
            "-XX:+AlwaysPreTouch",
            "-XX:-UseDynamicNumberOfCompilerThreads");

    private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));
    private static final Path HOME =
            Path.of(System.getProperty("benchmarks.home", ".")).toAbsolutePath();
    private static final String STARTER = "auth-spring-boot-starter";

    /** Jars with auto-configurations for a single service. */
    private static final Pattern DATABASE =
            Pattern.compile("(throttle|h2|HikariCP|postgresql|spring-(boot-)?(starter-)?(jdbc|tx|sql|transaction)).*");

    private static final Pattern RESOURCE_SERVER = Pattern.compile(".*oauth2.*|nimbus-jose-jwt.*");

    /** Whether Latchkey's starter is on the class path: a single dependency. */
    public enum Starter {
        PRESENT,
        ABSENT
    }

    private final String main;
    private final Pattern listening;
    private final boolean steady;

    Program(String main, String listening, boolean steady) {
        this.main = main;
        this.listening = Pattern.compile(listening);
        this.steady = steady;
    }

    /** The start command. */
    public List<String> command(Starter starter, String... properties) {
        return command(
                starter,
                name -> !RESOURCE_SERVER.matcher(name).matches(),
                Arrays.stream(properties).map(property -> "--" + property));
    }

    /**
     * The same with these arguments.
     *
     * @param kept whether a jar stays on the class path, by name
     */
    public List<String> command(Starter starter, Predicate<String> kept, Stream<String> arguments) {
        List<String> classPath = classPath(starter)
                .filter(entry -> kept.test(Path.of(entry).getFileName().toString()))
                .toList();
        if (classPath.stream().anyMatch(Program::isStarter) != (starter == Starter.PRESENT)) {
            throw new IllegalStateException("Built otherwise than expected: the starter must be " + starter);
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return Stream.of(
                        Stream.of(java),
                        (steady ? STEADY : LOADED).stream(),
                        Stream.of("-cp", classPath.stream().collect(Collectors.joining(File.pathSeparator)), main),
                        arguments)
                .flatMap(part -> part)
                .toList();
    }

    private Stream<String> classPath(Starter starter) {
        Path target = HOME.resolve("services/target");
        Stream<String> jars = read(target)
                .filter(entry -> starter == Starter.PRESENT || !isStarter(entry))
                .filter(entry -> this == SUBJECT
                        || !DATABASE.matcher(Path.of(entry).getFileName().toString())
                                .matches());
        return Stream.concat(Stream.of(target.resolve("classes").toString()), jars);
    }

    private static boolean isStarter(String entry) {
        return entry.contains(STARTER);
    }

    /** The port, if this line of output contains the port. */
    public OptionalInt port(String line) {
        Matcher matcher = listening.matcher(line);
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
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
