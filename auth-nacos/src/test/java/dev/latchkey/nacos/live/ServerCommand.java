package dev.latchkey.nacos.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The start of a server's process: flags, class path, folders. */
final class ServerCommand {

    private static final Path LIB = Path.of(System.getProperty("nacos.server.lib"));

    private ServerCommand() {}

    /**
     * @param jars in the plugins folder beside this plugin's
     * @param compilers 1 starts sooner, 4 runs faster in the end
     */
    static List<String> of(NacosServer.Kind kind, List<Path> jars, Path home, int compilers) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=" + compilers,
                "-Dlatchkey.lifeline=true",
                "-Dnacos.standalone=true",
                "-Dnacos.deployment.type=merged",
                "-Dnacos.home=" + home,
                "-Dnacos.logs.path=" + home.resolve("logs"),
                "-Duser.home=" + home,
                "-cp",
                classPath(kind, jars),
                "dev.latchkey.nacos.server.NacosLauncher",
                "--spring.config.additional-location=file:" + home.resolve("conf") + "/");
    }

    private static String classPath(NacosServer.Kind kind, List<Path> beside) {
        List<String> path = new ArrayList<>();
        path.add(System.getProperty("nacos.server.classes"));
        try (Stream<Path> jars = Files.list(LIB)) {
            jars.map(Path::toString)
                    .filter(jar -> kind.hasDefaultPlugin() || !jar.contains("default-auth-plugin"))
                    .sorted(Comparator.comparing((String jar) -> !isFirst(jar)).thenComparing(jar -> jar))
                    .forEach(path::add);
        } catch (IOException e) {
            throw new IllegalStateException("The server's jars are not there: build auth-nacos/server first", e);
        }
        if (kind.hasJar()) {
            path.add(System.getProperty("nacos.plugin.jar"));
        }
        beside.forEach(jar -> path.add(jar.toString()));
        return String.join(System.getProperty("path.separator"), path);
    }

    /** One of two hessians must be first; the order of all other jars is free. */
    private static boolean isFirst(String jar) {
        return jar.contains("hessian-4");
    }
}
