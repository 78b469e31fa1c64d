package dev.latchkey.auth.spring.pairs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ApplicationContext;

/** Each credential at the endpoints for an account's own credentials, on both stacks: {@code management.txt} has what is to come of it. */
class ManagementPairsTest {

    private final World world = new World();
    private int visits;

    @TempDir
    Path folder;

    @Test
    void everyCredential_asksAtEveryEndpoint() throws IOException {
        Path key = Files.writeString(folder.resolve("plugins.key"), "0f".repeat(32));
        PairTable table = PairTable.read("management.txt");
        PairServices.withManagement(world, key, PairServices.servlet(world, List.of()))
                .run(service -> fill(table, "servlets", false, service));
        PairServices.withManagement(world, key, PairServices.servletResourceServer(world))
                .run(service -> fill(table, "servlets", true, service));
        PairServices.withManagement(world, key, PairServices.webFlux(world, List.of()))
                .run(service -> fill(table, "WebFlux", false, service));
        PairServices.withManagement(world, key, PairServices.webFluxResourceServer(world))
                .run(service -> fill(table, "WebFlux", true, service));
        table.requireAll();
    }

    private void fill(PairTable table, String stack, boolean isResourceServer, ApplicationContext service) {
        for (Managed managed : Managed.values()) {
            for (Holder holder : Holder.values()) {
                if (holder.isAtAResourceServer() == isResourceServer
                        && table.isTried(managed.label(), holder.label(), stack)) {
                    table.seen(managed.label(), holder.label(), stack, answer(managed, holder, service));
                }
            }
        }
    }

    private String answer(Managed managed, Holder holder, ApplicationContext service) {
        try {
            Visit visit = Visit.of(service, world, Way.JSON, visits++);
            return managed.ask(visit, holder.headers(visit));
        } catch (Exception e) {
            return e.toString();
        }
    }
}
