package dev.latchkey.benchmarks.load.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The program of a service, as built: with or without Latchkey's starter on its class path. */
public enum Program {
    /** {@code benchmarks/services}: acts as each service of the load scenarios. */
    SUBJECT("dev.latchkey.benchmarks.services.SubjectApplication", "LISTENING (\\d+)", Flags.LOADED),
    /** {@code benchmarks/services}: an endpoint behind each of several filter chains. */
    REQUEST("dev.latchkey.benchmarks.request.RequestService", "LISTENING (\\d+)", Flags.STEADY),
    /** {@code benchmarks/services}: without Latchkey and without the harness. */
    PLAIN("dev.latchkey.benchmarks.plain.PlainService", "Tomcat started on port (\\d+)", Flags.STEADY),
    /** The same program as {@link #PLAIN}. Prints the figures of its start, and ends. */
    STARTED("dev.latchkey.benchmarks.plain.StartedService", "STARTED (\\d+)", Flags.PLAIN);

    /** The flags of the virtual machine. */
    private enum Flags {
        /** Memory as after an hour of load: new memory pages of the system would lengthen short pauses. */
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

    /** Additional libraries on the class path of a service. Each library configures itself. */
    public enum Addition {
        /** Latchkey's starter: a single dependency. */
        STARTER("auth-spring-boot-starter.*"),
        /** A database, and the throttle. */
        DATABASE("(throttle|h2|HikariCP|postgresql|spring-(boot-)?(starter-)?(jdbc|tx|sql|transaction)).*"),
        ACTUATOR("spring-boot-(starter-)?(actuator|health|micrometer).*|micrometer-(core|jakarta).*|HdrHistogram.*"
                + "|LatencyUtils.*"),
        RESOURCE_SERVER(".*oauth2.*|nimbus-jose-jwt.*");

        private final Pattern jars;

        Addition(String jars) {
            this.jars = Pattern.compile(jars);
        }

        private boolean has(String entry) {
            return jars.matcher(Path.of(entry).getFileName().toString()).matches();
        }
    }

    private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));
    private static final Path HOME =
            Path.of(System.getProperty("benchmarks.home", ".")).toAbsolutePath();

    private final String main;
    private final Pattern listening;
    private final Flags flags;

    Program(String main, String listening, Flags flags) {
        this.main = main;
        this.listening = Pattern.compile(listening);
        this.flags = flags;
    }

    /** The start command. The service of the load scenarios always has the database and the throttle. */
    public List<String> command(Set<Addition> additions, Stream<String> arguments) {
        Path target = HOME.resolve("services/target");
        Set<Addition> absent = EnumSet.allOf(Addition.class);
        absent.removeAll(additions);
        if (this == SUBJECT) {
            absent.remove(Addition.DATABASE);
        }
        List<String> jars = read(target)
                .filter(entry -> absent.stream().noneMatch(each -> each.has(entry)))
                .toList();
        if (!additions.stream().allMatch(each -> jars.stream().anyMatch(each::has))) {
            throw new IllegalStateException("Built otherwise than expected: without one of " + additions);
        }
        String classes = target.resolve("classes") + File.pathSeparator + String.join(File.pathSeparator, jars);
        Stream<String> threads = Boolean.getBoolean("benchmarks.virtual")
                ? Stream.of("--spring.threads.virtual.enabled=true")
                : Stream.of();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return Stream.of(Stream.of(java), flags.all.stream(), Stream.of("-cp", classes, main), arguments, threads)
                .flatMap(part -> part)
                .toList();
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
