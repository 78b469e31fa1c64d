package dev.latchkey.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testsupport.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the service starts and stops: each test has a process of its own. */
class QuickstartLifecycleIT {

    private static final String CHANGE =
            "{\"oldPassword\":\"wonderland-tea-party\",\"newPassword\":\"through-the-looking-glass\"}";

    @TempDir
    Path folder;

    /** The test then stops the same process, without another process. */
    @Test
    void postgres_isUsedWhereItsUrlIsSet_andARequestUnderWayIsAnsweredAfterSigterm() throws Exception {
        try (EmbeddedPostgres postgres =
                        EmbeddedPostgres.builder().setPort(FreePort.next()).start();
                ServiceProcess service = ServiceProcess.start(
                        folder,
                        "--spring.datasource.url=" + postgres.getJdbcUrl("postgres", "postgres"),
                        "--logging.level.org.springframework.security.web.FilterChainProxy=DEBUG")) {
            Client client = new Client(service.port());
            String token = client.tokenOf("alice", "wonderland-tea-party");
            assertThat(client.meWithToken(token).statusCode()).isEqualTo(200);
            assertThat(client.meWithBasic("alice", "wonderland-tea-party").statusCode())
                    .isEqualTo(200);
            assertThat(client.meWithBasic("alice", "not-the-password").statusCode())
                    .isEqualTo(401);
            assertThat(ReadmeCommands.play(client)).isNotEmpty();
            assertRequestUnderWayIsAnsweredAfterSigterm(service, token);
        }
    }

    /** Spring Security has the type since 7, so the starter's own tests do not see it. */
    @Test
    void nativeImage_isToldOfTheFactorsMethods() throws IOException {
        Path metadata =
                Path.of("target/classes/META-INF/native-image/dev.latchkey/quickstart/reachability-metadata.json");
        assertThat(Files.readString(metadata).replaceAll("\\s", ""))
                .contains("\"name\":\"withAuthority\",\"parameterTypes\":[\"java.lang.String\"]")
                .contains("\"name\":\"issuedAt\",\"parameterTypes\":[\"java.time.Instant\"]");
    }

    @Test
    void contextMadeAheadOfTime_logsInAsTheOtherDoes() throws Exception {
        Path keys =
                Files.writeString(folder.resolve("api-keys.txt"), "reporting " + "0".repeat(64) + " ROLE_REPORTS\n");
        try (ServiceProcess service = ServiceProcess.startAheadOfTime(
                folder,
                "--latchkey.plugins=users,jwt,api-key,one-time-codes,passkeys,permissions",
                "--latchkey.plugin.api-key.file=" + keys)) {
            assertThat(service.output()).contains("Starting AOT-processed QuickstartApplication");
            Client client = new Client(service.port());
            String token = client.tokenOf("alice", "wonderland-tea-party");
            assertThat(client.meWithToken(token).statusCode()).isEqualTo(200);
            assertThat(client.meWithBasic("alice", "wonderland-tea-party").statusCode())
                    .isEqualTo(200);
            assertThat(client.meWithBasic("alice", "not-the-password").statusCode())
                    .isEqualTo(401);
            assertThat(service.output())
                    .contains(
                            "Password encoder 'passwordEncoder' (BCryptPasswordEncoder) is behind the credential cache",
                            "Auth plugins, in order: [users, jwt, api-key, one-time-codes, passkeys, permissions]");
        }
    }

    /** The request is known to be under way when the signal comes: a filter has logged the request. */
    private static void assertRequestUnderWayIsAnsweredAfterSigterm(ServiceProcess service, String token)
            throws Exception {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            connection.setSoTimeout(120_000);
            write(
                    connection,
                    "PUT /api/me/password HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Authorization: Bearer " + token
                            + "\r\nContent-Length: " + CHANGE.length() + "\r\nConnection: close\r\n\r\n");
            service.awaitOutput("Securing PUT /api/me/password");

            service.terminate();
            write(connection, CHANGE);

            String answer = new String(connection.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 204");
            assertThat(service.awaitExit()).isEqualTo(143);
            assertThat(service.output()).contains("Graceful shutdown complete");
        }
    }

    private static void write(Socket connection, String text) throws IOException {
        connection.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        connection.getOutputStream().flush();
    }
}
