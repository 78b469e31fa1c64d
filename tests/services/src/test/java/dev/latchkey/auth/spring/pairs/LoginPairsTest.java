package dev.latchkey.auth.spring.pairs;

import dev.latchkey.auth.AuthPlugin;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;

/** Each way in under each rule of the whole service, on both stacks: {@code logins.txt} has what is to come of it. */
class LoginPairsTest {

    private final World world = new World();
    private int visits;

    @Test
    void everyWayIn_meetsEveryRule() throws IOException {
        PairTable table = PairTable.read("logins.txt");
        List<AuthPlugin> plugins = Sources.all(world);
        List<AuthPlugin> withDirectory = Sources.allWithADirectory(world);
        PairServices.servlet(world, plugins).run(service -> fill(table, "servlets", false, service));
        PairServices.servlet(world, withDirectory).run(service -> fill(table, "servlets", true, service));
        PairServices.webFlux(world, plugins).run(service -> fill(table, "WebFlux", false, service));
        PairServices.webFlux(world, withDirectory).run(service -> fill(table, "WebFlux", true, service));
        table.requireAll();
    }

    private void fill(PairTable table, String stack, boolean hasDirectory, ApplicationContext service)
            throws Exception {
        List<Way> ways = Arrays.stream(Way.values())
                .filter(way -> way.needsADirectory() == hasDirectory)
                .collect(Collectors.toList());
        for (Rule rule : Rule.values()) {
            for (Way way : ways) {
                if (table.isTried(rule.label(), way.label(), stack)) {
                    table.seen(rule.label(), way.label(), stack, meet(rule, Visit.of(service, world, way, visits++)));
                }
            }
        }
    }

    private static String meet(Rule rule, Visit visit) {
        try {
            return rule.meet(visit);
        } catch (Exception e) {
            return e.toString();
        }
    }
}
