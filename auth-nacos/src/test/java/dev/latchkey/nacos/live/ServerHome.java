package dev.latchkey.nacos.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A server's folder: configuration, data and logs. */
record ServerHome(Path path) {

    private static final int LAST_LINES = 60;

    /** Another empty folder beside this folder. */
    ServerHome another() {
        return new ServerHome(path.resolveSibling(path.getFileName() + "-again"));
    }

    void write(Map<String, String> properties) {
        List<String> lines = properties.entrySet().stream()
                .map(property -> property.getKey() + "=" + property.getValue())
                .toList();
        try {
            Files.createDirectories(path.resolve("conf"));
            Files.write(path.resolve("conf/application.properties"), lines);
        } catch (IOException e) {
            throw new IllegalStateException("The configuration cannot be written", e);
        }
    }

    Path outputFile() {
        return path.resolve("output.log");
    }

    /** The output of the process since the last start. */
    String output() {
        return text(outputFile());
    }

    String lastOfOutput() {
        List<String> lines = output().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    /** The log of the server since the first start. */
    String log() {
        return text(path.resolve("logs/nacos.log"));
    }

    /** Whatever the server and its parts wrote to logs. */
    List<Path> logs() {
        try (Stream<Path> files = Files.walk(path)) {
            return files.filter(file -> file.toString().endsWith(".log")).toList();
        } catch (IOException e) {
            throw new IllegalStateException("The logs cannot be read", e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "(nothing: " + e.getMessage() + ")";
        }
    }
}
