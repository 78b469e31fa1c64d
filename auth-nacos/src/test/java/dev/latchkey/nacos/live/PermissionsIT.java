package dev.latchkey.nacos.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The server's own roles and permissions, with wildcards, and the right to change passwords. */
@ExtendWith(SharedServer.class)
final class PermissionsIT {

    private final NacosServer server;

    PermissionsIT(NacosServer server) {
        this.server = server;
    }

    @Test
    void permissionOfARole_countsByItsWildcardAndItsAction() {
        String user = SharedServer.newUser(server, "user-password");
        NacosHttp admin = SharedServer.admin(server);
        String role = "ROLE_" + user;
        assertThat(admin.post("/v3/auth/role", "role", role, "username", user).status())
                .isEqualTo(200);
        assertThat(admin.post("/v3/auth/permission", "role", role, "resource", "public:ORDERS*:*", "action", "r")
                        .status())
                .isEqualTo(200);
        NacosHttp session = session(user);

        Await.until("the role counts", () -> session.config("ORDERS", "d").status() == 200);
        assertThat(session.config("ORDERS_OF_TODAY", "d").status()).isEqualTo(200);
        assertThat(session.config("PAYMENTS", "d").status()).isEqualTo(403);
        assertThat(session.publish("ORDERS", "d", "text").status()).isEqualTo(403);
        assertThat(session.get("/v3/auth/user/list", "pageNo", "1", "pageSize", "9")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void userWithoutARole_mayNothing() {
        NacosHttp session = session(SharedServer.newUser(server, "user-password"));

        assertThat(session.config("ORDERS", "d").status()).isEqualTo(403);
    }

    @Test
    void administrator_changesAnotherUsersPassword() {
        String user = SharedServer.newUser(server, "user-password");

        assertThat(change(SharedServer.admin(server), user)).isEqualTo(200);
        assertThat(server.http().login(user, "changed-password").status()).isEqualTo(200);
    }

    @Test
    void user_changesHisOwnPassword_andNobodyElses() {
        String user = SharedServer.newUser(server, "user-password");
        String other = SharedServer.newUser(server, "user-password");

        assertThat(change(session(user), other)).isEqualTo(403);
        assertThat(change(session(user), "nacos")).isEqualTo(403);
        assertThat(change(session(user), user)).isEqualTo(200);
        assertThat(server.http().from("192.0.2.60").login(user, "user-password").status())
                .isEqualTo(403);
    }

    private NacosHttp session(String user) {
        return server.http()
                .as(server.http()
                        .from("192.0.2.61")
                        .login(user, "user-password")
                        .token());
    }

    private static int change(NacosHttp session, String user) {
        return session.put("/v3/auth/user", "username", user, "newPassword", "changed-password")
                .status();
    }
}
