package dev.latchkey.nacos.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code docs/getting-started/nacos.md}, typed into a server with the default configuration. */
final class GuideIT {

    private static final GuidePage PAGE = GuidePage.read();

    @Test
    void newcomer_logsInReadsAndGuesses() {
        try (NacosServer server = asItComes()) {
            PAGE.properties().forEach(server::set);
            NacosHttp http = server.start().http();
            List<String> commands = PAGE.commands();

            assertThat(GuidePage.run(commands.get(0), http, "").status()).isEqualTo(200);
            String token = GuidePage.run(commands.get(1), http, "").token();
            assertThat(GuidePage.run(commands.get(2), http, token).status()).isEqualTo(200);
            Await.until(
                    "read",
                    () -> GuidePage.run(commands.get(3), http, token).body().contains("hello: nacos"));
            assertThat(commands.subList(4, commands.size()))
                    .extracting(command -> GuidePage.run(command, http, token).status())
                    .containsExactly(403, 200, 403, 403, 403, 403, 403, 403, 429);
            assertThat(server.home().log()).doesNotContain("is false, so this plugin is not asked");
        }
    }

    /** A server with the default switch logs a warning. */
    @Test
    void serverThatAsksNobodyForALogin_saysSoInItsLog() {
        try (NacosServer server = asItComes()) {
            server.start();

            assertThat(server.http()
                            .get("/v3/auth/user/list", "pageNo", "1", "pageSize", "9")
                            .status())
                    .isEqualTo(200);
            assertThat(server.home().log()).contains("nacos.core.auth.enabled is false, so this plugin is not asked");
        }
    }

    private static NacosServer asItComes() {
        return NacosServer.fresh(NacosServer.Kind.LATCHKEY).set("nacos.core.auth.enabled", "false");
    }
}
