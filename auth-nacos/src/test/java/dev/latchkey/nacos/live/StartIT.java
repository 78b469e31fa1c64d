package dev.latchkey.nacos.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.nacos.settings.SettingsReader;
import org.junit.jupiter.api.Test;

/** Reasons against a start: the server must never start open. */
final class StartIT {

    @Test
    void serverOfThisTypeWithoutTheJar_doesNotStart() {
        try (NacosServer server = NacosServer.fresh(NacosServer.Kind.LATCHKEY_WITHOUT_JAR)) {
            assertThat(server.startInVain()).contains("IAuthenticationManager");
        }
    }

    /** The default plugin has the users, roles and controllers. */
    @Test
    void serverWithThisPluginAlone_doesNotStart() {
        try (NacosServer server = NacosServer.fresh(NacosServer.Kind.LATCHKEY_ALONE)) {
            assertThat(server.startInVain())
                    .containsPattern("(?s)APPLICATION FAILED TO START.*has no com.alibaba.nacos.plugin.auth.impl");
        }
    }

    @Test
    void unknownSetting_doesNotStart_andTheOutputEndsWithTheKnownOnes() {
        try (NacosServer server = NacosServer.fresh(NacosServer.Kind.LATCHKEY).setOwn("trustedproxies", "127.0.0.1")) {
            assertThat(server.startInVain())
                    .containsPattern("(?s)APPLICATION FAILED TO START.*trustedproxies is unknown.*trusted.proxies");
        }
    }

    /** The default plugin reads the key first, and does not name it. */
    @Test
    void emptyKey_doesNotStart_andTheOutputEndsWithItsProperty() {
        try (NacosServer server = NacosServer.fresh(NacosServer.Kind.LATCHKEY).set(SettingsReader.SECRET, "")) {
            assertThat(server.startInVain())
                    .containsPattern("(?s)APPLICATION FAILED TO START.*" + SettingsReader.SECRET);
        }
    }
}
