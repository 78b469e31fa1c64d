package dev.latchkey.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.wire.generated.ApiClient;
import dev.latchkey.wire.generated.ApiException;
import dev.latchkey.wire.generated.api.LoginsApi;
import dev.latchkey.wire.generated.model.Tokens;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** A client that openapi-generator makes of docs/reference/openapi.json logs in, refreshes and logs out. */
class GeneratedClientTest {

    @Test
    void generatedClient_logsInRefreshesAndLogsOut() throws Exception {
        try (ConfigurableApplicationContext service = SpringApplication.run(
                GrpcTest.Service.class,
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--spring.grpc.server.port=0",
                "--latchkey.jwt.secret=q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=",
                "--latchkey.login.enabled=true",
                "--latchkey.login.refresh.enabled=true",
                "--spring.security.user.name=alice",
                "--spring.security.user.password={noop}correct-horse-battery")) {
            ApiClient http = new ApiClient();
            http.updateBaseUri("http://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port"));
            LoginsApi logins = new LoginsApi(http);
            assertThatThrownBy(() -> ask(logins, "password", "wrong", null))
                    .isInstanceOfSatisfying(ApiException.class, failure -> {
                        assertThat(failure.getCode()).isEqualTo(400);
                        assertThat(failure.getResponseBody()).contains("invalid_grant");
                    });
            Tokens first = ask(logins, "password", "correct-horse-battery", null);
            Tokens second = ask(logins, "refresh_token", null, first.getRefreshToken());
            assertThat(second.getRefreshToken()).isNotEqualTo(first.getRefreshToken());
            logins.logout(Map.of("Authorization", "Bearer " + second.getAccessToken()));
            assertThatThrownBy(() -> ask(logins, "refresh_token", null, second.getRefreshToken()))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            failure -> assertThat(failure.getResponseBody()).contains("invalid_grant"));
        }
    }

    private static Tokens ask(LoginsApi logins, String grant, String password, String refresh) throws ApiException {
        return logins.token(
                grant, password == null ? null : "alice", password, refresh, null, null, null, null, null, null, null);
    }
}
