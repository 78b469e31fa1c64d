package dev.latchkey.examples.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.guard.GuardTime;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The nodes as started by {@code main}, at free ports. */
@Timeout(180)
@Tag("long")
class SeveralNodesTest {

    @Test
    void commandsOfTheReadme_areAnsweredAsItSays() throws Exception {
        // The clock below would hold each refusal for long.
        try (SeveralNodes nodes =
                SeveralNodes.start(PatientNode.class, List.of(0, 0), "--latchkey.guard.refusals.delay=0s")) {
            Map<String, String> addresses = Map.of("one", address(nodes, 0), "two", address(nodes, 1));
            assertThat(ReadmeCommands.play(addresses))
                    .containsExactly(200, 200, 200, 200, 204, 401, 204, 401, 401, 401, 401, 401, 401, 429, 429);
        }
    }

    @Test
    void portThatIsTaken_endsTheStart_andNothingIsLeft() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> SeveralNodes.start(NodeApplication.class, List.of(0, taken.getLocalPort())))
                    .hasRootCauseInstanceOf(BindException.class);
        }
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    private static String address(SeveralNodes nodes, int node) {
        return "http://127.0.0.1:" + nodes.port(node);
    }

    /**
     * A login waits 100 ms for Redis, or the limits are local for a while. Here the wait is a hundred times as long, for a busy
     * machine. Without the annotation of a configuration, so the service does not find this class.
     */
    @Import(NodeApplication.class)
    static class PatientNode {

        @Bean(destroyMethod = "close")
        GuardTime patientTime() {
            return new SlowTime(GuardTime.start());
        }
    }

    private record SlowTime(GuardTime real) implements GuardTime {

        private static final int PATIENCE = 100;

        @Override
        public long nanoTime() {
            return real.nanoTime() / PATIENCE;
        }

        @Override
        public WakeUp after(Duration delay, Runnable action) {
            return real.after(delay.multipliedBy(PATIENCE), action);
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
