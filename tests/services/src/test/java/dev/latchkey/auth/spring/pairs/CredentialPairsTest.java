package dev.latchkey.auth.spring.pairs;

import dev.latchkey.auth.spring.issuer.TrustedIssuersPlugin;
import dev.latchkey.plugins.apikeys.ApiKeysPlugin;
import dev.latchkey.plugins.codes.OneTimeCodesPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/**
 * Each lasting credential after each event that should end the credential, on both stacks: {@code credentials.txt} has the
 * expected answers.
 */
class CredentialPairsTest {

    /** What one node revokes is seen so much later where a plugin remembers rows. */
    private static final Duration SEEN_WITHIN = Duration.ofSeconds(11);

    private final World world = new World();
    private int visits;

    @TempDir
    Path folder;

    private Path key;

    @BeforeEach
    void key() throws IOException {
        key = Files.writeString(folder.resolve("plugins.key"), "0f".repeat(32));
    }

    @Test
    void everyCredential_meetsEveryEnd() throws IOException {
        PairTable table = PairTable.read("credentials.txt");
        fill(table, "servlets", true);
        fill(table, "WebFlux", false);
        table.requireAll();
    }

    private void fill(PairTable table, String stack, boolean isServlet) {
        service(isServlet, List.of("cards", ApiKeysPlugin.NAME, OneTimeCodesPlugin.NAME))
                .run(service -> {
                    // First: a restarted service has the key that it was first started with.
                    restart(table, stack, isServlet, service);
                    for (End end : End.values()) {
                        for (Lasting row : Lasting.values()) {
                            if (end != End.REMOVED && table.isTried(end.label(), row.label(), stack)) {
                                table.seen(end.label(), row.label(), stack, ended(end, row, service));
                            }
                        }
                    }
                });
    }

    /** All credentials come from the first service, and are used in services without one plugin each. */
    private void restart(PairTable table, String stack, boolean isServlet, ApplicationContext service)
            throws Exception {
        Map<Lasting, Visit> visitors = new EnumMap<>(Lasting.class);
        Map<Lasting, Lasting.Held> held = new EnumMap<>(Lasting.class);
        for (Lasting row : Lasting.values()) {
            if (table.isTried(End.REMOVED.label(), row.label(), stack)) {
                Way way = row.issuer().isEmpty() && row.way() == Way.JSON ? Way.GRANT : row.way();
                Visit visit = Visit.of(service, world, way, visits++);
                visitors.put(row, visit);
                held.put(row, row.obtain(visit));
            }
        }
        world.move(SEEN_WITHIN);
        service(isServlet, List.of()).run(restarted -> {
            for (Map.Entry<Lasting, Lasting.Held> each : held.entrySet()) {
                Visit visit = visitors.get(each.getKey()).in(restarted);
                table.seen(
                        End.REMOVED.label(),
                        each.getKey().label(),
                        stack,
                        each.getKey().use(visit, each.getValue().credential()));
            }
        });
    }

    private String ended(End end, Lasting row, ApplicationContext service) {
        try {
            Visit visit = Visit.of(service, world, row.way(), visits++);
            Lasting.Held held = row.obtain(visit);
            end.come(visit, held);
            world.move(SEEN_WITHIN);
            return row.use(visit, held.credential());
        } catch (Exception e) {
            return e.toString();
        }
    }

    private AbstractApplicationContextRunner<?, ?, ?> service(boolean isServlet, List<String> plugins) {
        List<Sources.Cards> cards = plugins.contains("cards") ? List.of(new Sources.Cards(world)) : List.of();
        return isServlet
                ? issuing(PairServices.servlet(world, cards), plugins)
                : issuing(PairServices.webFlux(world, cards), plugins);
    }

    private <S extends AbstractApplicationContextRunner<S, ?, ?>> S issuing(S service, List<String> plugins) {
        return plugins.isEmpty()
                ? service
                : PairServices.withIssuers(
                        world,
                        key,
                        service,
                        "users," + TrustedIssuersPlugin.NAME + ",jwt,features," + String.join(",", plugins));
    }
}
