package dev.latchkey.examples.nodes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the shared data of nodes and the costs, and prints a table in Markdown; the module's README has the command. A run
 * takes five minutes. Compared variants take turns in one process.
 */
final class NodesMeasured {

    /** @param aim empty where the figure is only reported */
    record Row(String what, String measured, String aim) {

        @SuppressWarnings("AnnotateFormatMethod")
        static Row of(String what, String aim, String format, Object... figures) {
            return new Row(what, String.format(Locale.ROOT, format, figures), aim);
        }
    }

    private interface Part {
        List<Row> measure() throws Exception;
    }

    private NodesMeasured() {}

    /**
     * Prints the table.
     *
     * @param arguments {@code smoke} for a tenth of the time and load, without meaningful figures; and the names of wanted
     * parts
     */
    public static void main(String[] arguments) throws Exception {
        List<String> wanted = new ArrayList<>(List.of(arguments));
        int seconds = wanted.remove("smoke") ? 1 : 10;
        Map<String, Part> parts = new LinkedHashMap<>();
        parts.put("verify", () -> RevocationsMeasured.verify(seconds));
        parts.put("start", () -> RevocationsMeasured.start(100_000 * seconds));
        parts.put("logouts", () -> LogoutsMeasured.logouts(seconds));
        parts.put("profile", () -> RequestProfile.profile(seconds));
        parts.put("logins", () -> ServicesMeasured.logins(seconds));
        parts.put("refreshes", () -> ServicesMeasured.refreshes(seconds));
        parts.put("throttles", () -> ThrottlesMeasured.throttles(seconds));
        parts.put("replicas", () -> ReplicasMeasured.replicas(seconds));
        if (!wanted.isEmpty()) {
            parts.keySet().retainAll(wanted);
        }
        System.out.println("| | measured | aim |");
        System.out.println("| --- | --- | --- |");
        try {
            for (Part each : parts.values()) {
                for (Row row : each.measure()) {
                    System.out.println("| " + row.what() + " | " + row.measured() + " | " + row.aim() + " |");
                }
            }
        } catch (Exception e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
        // Threads of drivers may go on for a while.
        Runtime.getRuntime().halt(0);
    }
}
