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
    SUBJECT("dev.latchkey.benchmarks.services.SubjectApplication", "LISTENING (\\d+)", Flags.LOADED),
    /** {@code benchmarks/services}: an endpoint behind each of several filter chains. */
    REQUEST("dev.latchkey.benchmarks.request.RequestService", "LISTENING (\\d+)", Flags.STEADY),
    /** {@code benchmarks/services}: without Latchkey and without the harness. */
    PLAIN("dev.latchkey.benchmarks.plain.PlainService", "Tomcat started on port (\\d+)", Flags.STEADY),
    /** The same program, which says what its start took, and ends. */
    STARTED("dev.latchkey.benchmarks.plain.StartedService", "STARTED (\\d+)", Flags.PLAIN);

    /** The flags of the virtual machine. */
    private enum Flags {
        /** As after an hour: new memory pages of the system would lengthen short pauses. */
        LOADED("-Xms256m", "-XX:+AlwaysPreTouch", "-Xmx1g"),
        /** Short-lived threads and a concurrent collector would make measurements unsteady. */
        STEADY(
                "-XX:+UseSerialGC",
                "-Xms256m",
                "-Xmx256m",
                "-Xmn64m",
                "-XX:+AlwaysPreTouch",
                "-XX:-UseDynamicNumberOfCompilerThreads"),
        PLAIN("-XX:+UseSerialGC", "-Xmx256m");

        private final List<String> all;

        Flags(String... all) {
            this.all = List.of(all);
        }
    }

    private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));
    private static final Path HOME =
            Path.of(System.getProperty("benchmarks.home", ".")).toAbsolutePath();
    private static final String STARTER = "auth-spring-boot-starter";

    /** Jars with auto-configurations for a single service. */
    private static final Pattern DATABASE =
            Pattern.compile("(throttle|h2|HikariCP|postgresql|spring-(boot-)?(starter-)?(jdbc|tx|sql|transaction)).*");

    private static final Pattern ACTUATOR = Pattern.compile(
            "spring-boot-(starter-)?(actuator|health|micrometer).*|micrometer-(core|jakarta).*|HdrHistogram.*|LatencyUtils.*");

    private static final Pattern RESOURCE_SERVER = Pattern.compile(".*oauth2.*|nimbus-jose-jwt.*");

    /** Whether Latchkey's starter is on the class path: a single dependency. */
    public enum Starter {
        PRESENT,
        ABSENT
    }

    private final String main;
    private final Pattern listening;
    private final Flags flags;

    Program(String main, String listening, Flags flags) {
        this.main = main;
        this.listening = Pattern.compile(listening);
        this.flags = flags;
    }

    /** The start command. */
    public List<String> command(Starter starter, String... properties) {
        return command(starter, false, properties);
    }

    /** The same with Boot's actuator on the class path, or without. */
    public List<String> command(Starter starter, boolean actuator, String... properties) {
        return command(
                starter,
                name -> !RESOURCE_SERVER.matcher(name).matches()
                        && (actuator || !ACTUATOR.matcher(name).matches()),
                Arrays.stream(properties).map(property -> "--" + property));
    }

    /**
     * The same with these arguments.
     *
     * @param kept whether a jar stays on the class path, by name
     */
    public List<String> command(Starter starter, Predicate<String> kept, Stream<String> arguments) {
        List<String> classPath =
                classPath(starter).filter(entry -> kept.test(nameOf(entry))).toList();
        if (classPath.stream().anyMatch(Program::isStarter) != (starter == Starter.PRESENT)) {
            throw new IllegalStateException("Built otherwise than expected: the starter must be " + starter);
        }
        Stream<String> threads = Boolean.getBoolean("benchmarks.virtual")
                ? Stream.of("--spring.threads.virtual.enabled=true")
                : Stream.of();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return Stream.of(
                        Stream.of(java),
                        flags.all.stream(),
                        Stream.of("-cp", classPath.stream().collect(Collectors.joining(File.pathSeparator)), main),
                        arguments,
                        threads)
                .flatMap(part -> part)
                .toList();
    }

    private Stream<String> classPath(Starter starter) {
        Path target = HOME.resolve("services/target");
        Stream<String> jars = read(target)
                .filter(entry -> starter == Starter.PRESENT || !isStarter(entry))
                .filter(entry ->
                        this == SUBJECT || !DATABASE.matcher(nameOf(entry)).matches())
                .filter(entry ->
                        this == STARTED || !ACTUATOR.matcher(nameOf(entry)).matches());
        return Stream.concat(Stream.of(target.resolve("classes").toString()), jars);
    }

    private static String nameOf(String entry) {
        return Path.of(entry).getFileName().toString();
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
