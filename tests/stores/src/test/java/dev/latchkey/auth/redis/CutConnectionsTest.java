package dev.latchkey.auth.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testsupport.Acknowledgements;
import dev.latchkey.testsupport.Acknowledgements.Store;
import dev.latchkey.testsupport.CuttingProxy;
import dev.latchkey.testsupport.StoreNode;
import dev.latchkey.testsupport.Until;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes with different clocks and repeatedly cut connections: in a command, in an answer, or between both. */
@Tag("faults")
@Timeout(120)
class CutConnectionsTest {

    private static final int CUTS = 40;

    @TempDir
    private Path folder;

    @Test
    void connectionsThatAreCutInTheMiddle_costNoAcknowledgement() throws Exception {
        try (RedisProcess server = RedisProcess.started(folder);
                CuttingProxy proxy = new CuttingProxy(server.port());
                StoreNode one = Nodes.on(TestRedis.at(proxy.port()));
                StoreNode ahead = Nodes.on(TestRedis.at(proxy.port()), Nodes.APART);
                StoreNode behind = Nodes.on(TestRedis.at(proxy.port()), Nodes.APART.negated());
                Acknowledgements told = new Acknowledgements(Store.LOSES_NOTHING, one, ahead, behind)
                        .revoking()
                        .prolonging()) {
            told.awaitMore(100);
            int before = proxy.cuts();
            proxy.cutFromNowOn();
            Until.until(() -> proxy.cuts() >= before + CUTS);
            proxy.cutNoMore();
            told.awaitMore(100);
            try (StoreNode later = Nodes.on(TestRedis.at(server.port()))) {
                told.assertKeptBy(one, ahead, behind, later);
            }
            assertThat(proxy.cuts()).isGreaterThanOrEqualTo(CUTS);
        }
    }
}
