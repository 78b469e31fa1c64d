package dev.latchkey.benchmarks.load.process;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** The machine of the measurement, without host, user and path names. */
public final class Machine {

    private Machine() {}

    public static Map<String, String> describe() {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("processor", processor());
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

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
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
