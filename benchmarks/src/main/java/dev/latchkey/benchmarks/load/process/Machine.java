package dev.latchkey.benchmarks.load.process;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** The machine of the measurement, without host, user and path names. */
public final class Machine {

    private Machine() {}

    public static Map<String, String> describe() {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("processor", processor("model name").orElse(System.getProperty("os.arch")));
        machine.put("kind", kind());
        machine.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system) {
            machine.put("memory", system.getTotalMemorySize() / (1L << 30) + " GiB");
        }
        machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        machine.put("Latchkey", version("latchkey"));
        machine.put("Spring Boot", version("spring-boot"));
        machine.put("Spring Security", version("spring-security"));
        machine.put("jjwt", version("jjwt"));
        machine.put("Hyperfoil (generator, one thread on the same cores)", version("hyperfoil"));
        machine.put("JMH", version("jmh"));
        return machine;
    }

    /**
     * What decides about the figures: whether the processor has SHA instructions, the version of Java, and the services' threads;
     * such as {@code sha-jdk17}, {@code plain-jdk25-virtual}.
     */
    public static String kind() {
        boolean sha =
                processor("flags").or(() -> processor("Features")).orElse("").matches(".*\\b(sha_ni|sha2)\\b.*");
        return (sha ? "sha" : "plain") + "-jdk" + Runtime.version().feature()
                + (Boolean.getBoolean("benchmarks.virtual") ? "-virtual" : "");
    }

    /** The first value of this name in the system's description of the processor. */
    private static Optional<String> processor(String name) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The build writes the resolved versions into a file beside the classes. */
    private static String version(String of) {
        Properties versions = new Properties();
        try (var file = Machine.class.getResourceAsStream("/versions.properties")) {
            versions.load(file);
            return versions.getProperty(of, "unknown");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
