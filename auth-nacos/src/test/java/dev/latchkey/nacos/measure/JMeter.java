package dev.latchkey.nacos.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** JMeter in a process of its own, with the plan of {@code auth-nacos/jmeter}. */
final class JMeter {

    private static final Path HOME = Path.of(System.getProperty("nacos.jmeter"));
    private static final String SAVE = "jmeter.save.saveservice.";

    /** Texts may have commas, and commas split the lines: so these columns are left out. */
    private static final List<String> UNSAVED_TEXTS =
            List.of("response_message", "assertion_results_failure_message", "thread_name", "url");

    private final Path work;

    /** @param work a folder for properties, log and samples */
    JMeter(Path work) {
        this.work = work;
    }

    /**
     * Runs the plan once.
     *
     * @param properties of the plan, without the number of threads
     * @return the load of each label
     */
    Map<String, Load> run(int threads, Map<String, String> properties) throws IOException, InterruptedException {
        Files.createDirectories(work);
        Path samples = work.resolve("samples.csv");
        Files.deleteIfExists(samples);
        Path file = work.resolve("plan.properties");
        Files.write(
                file,
                Stream.concat(
                                Stream.of("threads=" + threads),
                                properties.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()))
                        .toList());
        Path output = work.resolve("output.log");
        Process process = new ProcessBuilder(command(file, samples))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .directory(work.toFile())
                .start();
        if (process.waitFor() != 0 || !Files.exists(samples)) {
            throw new IllegalStateException("JMeter has failed:\n" + Files.readString(output));
        }
        return JMeterSamples.loads(threads, Files.readAllLines(samples));
    }

    private List<String> command(Path properties, Path samples) {
        Path home = HOME.resolve("target/home");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-Djava.awt.headless=true",
                "-Duser.home=" + work,
                "-Djmeter.home=" + home,
                "-Dlog4j2.configurationFile=" + home.resolve("bin/log4j2.xml"),
                "-cp",
                home.resolve("lib") + "/*",
                "org.apache.jmeter.NewDriver",
                "--nongui",
                "--testfile=" + HOME.resolve("nacos.jmx"),
                "--addprop=" + properties,
                "--logfile=" + samples,
                "--jmeterlogfile=" + work.resolve("jmeter.log")));
        UNSAVED_TEXTS.forEach(column -> command.add("-J" + SAVE + column + "=false"));
        return command;
    }
}
