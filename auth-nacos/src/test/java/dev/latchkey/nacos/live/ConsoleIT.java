package dev.latchkey.nacos.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The calls of the console's pages, in order. */
@ExtendWith(SharedServer.class)
final class ConsoleIT {

    private final NacosServer server;

    ConsoleIT(NacosServer server) {
        this.server = server;
    }

    @Test
    void state_asksForALoginAndForNoFirstAdministrator() {
        JsonNode state = server.console().get("/v3/console/server/state").json();

        assertThat(state.path("login_page_enabled").asText()).isEqualTo("true");
        assertThat(state.path("auth_enabled").asText()).isEqualTo("true");
        assertThat(state.path("auth_system_type").asText()).isEqualTo("latchkey");
        assertThat(state.path("auth_admin_request").asText()).isEqualTo("false");
    }

    @Test
    void pages_areReadWithTheTokenOfALogin_andNotWithout() {
        NacosHttp.Answer login = server.console().login("nacos", SharedServer.ADMIN_PASSWORD);
        NacosHttp session = server.console().as(login.token());

        assertThat(login.json().path("username").asText()).isEqualTo("nacos");
        for (String path : new String[] {
            "/v3/console/core/namespace/list",
            "/v3/console/cs/config/list?search=blur&dataId=&groupName=&pageNo=1&pageSize=10&a=b",
            "/v3/auth/user/list?pageNo=1&pageSize=9&search=blur&a=b",
            "/v3/auth/role/list?pageNo=1&pageSize=9&search=blur&a=b",
            "/v3/auth/permission/list?pageNo=1&pageSize=9&search=blur&a=b"
        }) {
            assertThat(session.get(path).status()).as(path).isEqualTo(200);
            assertThat(server.console().get(path).status()).as(path).isEqualTo(403);
        }
    }

    @Test
    void configuration_isWrittenAndReadOnItsPage() {
        NacosHttp session = server.console()
                .as(server.console().login("nacos", SharedServer.ADMIN_PASSWORD).token());

        assertThat(session.post("/v3/console/cs/config", "dataId", "page", "groupName", "G", "content", "one")
                        .status())
                .isEqualTo(200);
        assertThat(session.get("/v3/console/cs/config", "dataId", "page", "groupName", "G")
                        .body())
                .contains("one");
    }

    @Test
    void userPage_makesAUserAndItsLoginWorksOnBothPorts() {
        NacosHttp session = server.console()
                .as(server.console().login("nacos", SharedServer.ADMIN_PASSWORD).token());
        session.post("/v3/auth/user", "username", "made-on-the-page", "password", "page-password");

        assertThat(server.console().login("made-on-the-page", "page-password").status())
                .isEqualTo(200);
        assertThat(server.http().login("made-on-the-page", "page-password").status())
                .isEqualTo(200);
    }

    @Test
    void wrongPassword_isRefusedThereToo() {
        assertThat(server.console().from("192.0.2.70").login("nacos", "wrong").status())
                .isEqualTo(403);
    }
}
