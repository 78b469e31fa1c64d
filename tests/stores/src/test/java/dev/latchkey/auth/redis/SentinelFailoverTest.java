package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testsupport.Acknowledgements;
import dev.latchkey.testsupport.Acknowledgements.Store;
import dev.latchkey.testsupport.StoreNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes with different clocks, on a primary with two replicas and a sentinel. The sentinel promotes a replica.
 * Revocations are restored after a failover. Redis may lose the last changes of sessions: here, changes wait for both replicas.
 */
@Tag("faults")
@Timeout(180)
class SentinelFailoverTest {

    private static final int SOME = 100;

    /** All that may be put in the primary's place. */
    private static final int REPLICAS = 2;

    /** As the module's README asks for: a primary that has no replica any more takes no writes. */
    private static final String[] CAREFUL = {"--min-replicas-to-write", "1"};

    private final List<RedisProcess> servers = new ArrayList<>();
    private final List<StoreNode> nodes = new ArrayList<>();

    @TempDir
    private Path folder;

    private RedisProcess primary;
    private RedisProcess sentinel;

    private void start(String... settings) throws Exception {
        primary = RedisProcess.started(folderOf("primary"), settings);
        servers.add(primary);
        for (String name : List.of("replica", "another-replica")) {
            RedisProcess replica = RedisProcess.started(folderOf(name), settings);
            servers.add(replica);
            replica.follow(primary);
        }
        until(() -> primary.info("replication").contains("connected_slaves:2")
                && servers.subList(1, 3).stream()
                        .allMatch(each -> each.info("replication").contains("master_link_status:up")));
        sentinel = RedisProcess.sentinel(folderOf("sentinel"), primary.port(), 1);
        servers.add(sentinel);
        until(() -> sentinel.info("sentinel").contains("slaves=2"));
        for (Duration ahead : List.of(Duration.ZERO, Nodes.APART, Nodes.APART.negated())) {
            nodes.add(node(ahead));
        }
    }

    private Path folderOf(String name) throws Exception {
        return Files.createDirectory(folder.resolve(name));
    }

    private StoreNode node(Duration ahead) {
        return Nodes.waitingFor(REPLICAS, TestRedis.watchedBy(sentinel.port()), ahead);
    }

    private StoreNode[] nodes() {
        return nodes.toArray(StoreNode[]::new);
    }

    @AfterEach
    void stop() {
        nodes.forEach(StoreNode::close);
        servers.forEach(RedisProcess::close);
    }

    @Test
    void primaryThatIsKilled_andReplaced_costsNoAcknowledgement() throws Exception {
        start(CAREFUL);
        try (Acknowledgements told =
                new Acknowledgements(Store.MAY_GO_BACK, nodes()).revoking().prolonging()) {
            told.awaitMore(SOME);
            primary.kill();
            until(this::isReplaced);
            // One replica is left, so no refresh is acknowledged.
            told.awaitMoreRevocations(SOME);
            primary.start();
            told.awaitMore(SOME);
            assertThat(told.outages()).isPositive();
            nodes.add(node(Duration.ZERO));
            told.assertKeptBy(nodes());
        }
    }

    @Test
    void primaryThatIsPaused_replaced_andComesBackAsItWas_costsNoAcknowledgement() throws Exception {
        start(CAREFUL);
        try (Acknowledgements told =
                new Acknowledgements(Store.MAY_GO_BACK, nodes()).revoking().prolonging()) {
            told.awaitMore(SOME);
            primary.pause();
            until(this::isReplaced);
            primary.resume();
            told.awaitMore(SOME);
            assertThat(told.outages()).isPositive();
            nodes.add(node(Duration.ZERO));
            told.assertKeptBy(nodes());
        }
    }

    /** For some seconds two servers take writes, and the nodes write to the server whose data is dropped. */
    @Test
    void revocationsThatAnAbandonedPrimaryAcknowledged_areGivenBackToItsSuccessor() throws Exception {
        start();
        try (Acknowledgements told = new Acknowledgements(Store.MAY_GO_BACK, nodes()).revoking()) {
            told.awaitMore(SOME);
            primary.pause();
            until(this::isReplaced);
            primary.resume();
            told.awaitMore(SOME);
            until(() -> primary.info("replication").contains("role:slave"));
            told.awaitMore(SOME);
            nodes.add(node(Duration.ZERO));
            told.assertKeptBy(nodes());
        }
    }

    private boolean isReplaced() {
        return servers.subList(1, 3).stream()
                .anyMatch(each -> each.info("replication").contains("role:master"));
    }
}
