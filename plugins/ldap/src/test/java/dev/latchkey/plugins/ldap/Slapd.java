package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.LDAPConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** OpenLDAP's server from Debian's package, with a policy for passwords, in a folder and on ports of its own. */
final class Slapd implements AutoCloseable {

    private static final Duration TO_START = Duration.ofSeconds(20);

    private final Path folder;
    private final int port;
    private final int encryptedPort;
    private Process process;

    Slapd(Path folder, TestCertificate certificate) throws Exception {
        this.folder = folder;
        this.port = freePort();
        this.encryptedPort = freePort();
        Files.createDirectories(folder.resolve("data"));
        Files.writeString(
                folder.resolve("key.pem"),
                pem("PRIVATE KEY", certificate.keys().getPrivate().getEncoded()));
        certificate.pemIn(folder);
        Files.writeString(folder.resolve("slapd.conf"), resource("slapd.conf"));
        Files.writeString(folder.resolve("people.ldif"), resource("people.ldif"));
        run(
                "/usr/sbin/slapadd",
                "-f",
                conf(),
                "-l",
                folder.resolve("people.ldif").toString());
        this.process = start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                + "-----\n";
    }

    private String resource(String name) throws IOException {
        try (var stream = Slapd.class.getResourceAsStream(name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8).replace("@folder@", folder.toString());
        }
    }

    private String conf() {
        return folder.resolve("slapd.conf").toString();
    }

    private void run(String... command) throws Exception {
        Process running = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.txt").toFile())
                .start();
        if (!running.waitFor(TO_START.toSeconds(), TimeUnit.SECONDS) || running.exitValue() != 0) {
            running.destroyForcibly();
            throw new AssertionError(List.of(command) + " failed: " + Files.readString(folder.resolve("output.txt")));
        }
    }

    private Process start() throws Exception {
        String addresses = "ldap://127.0.0.1:" + port + "/ ldaps://127.0.0.1:" + encryptedPort + "/";
        Process started = new ProcessBuilder("/usr/sbin/slapd", "-d", "256", "-h", addresses, "-f", conf())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("slapd.txt").toFile())
                .start();
        long end = System.nanoTime() + TO_START.toNanos();
        while (!answers()) {
            if (!started.isAlive() || System.nanoTime() > end) {
                throw new AssertionError("slapd: " + Files.readString(folder.resolve("slapd.txt")));
            }
            boolean unused = started.waitFor(20, TimeUnit.MILLISECONDS);
        }
        return started;
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), encryptedPort), 200);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Settings by which the service finds accounts, encrypted. */
    Map<String, String> settings() {
        return new TreeMap<>(Map.of(
                "urls",
                "ldaps://localhost:" + encryptedPort,
                "trust-file",
                folder.resolve("trusted.pem").toString(),
                "bind-dn",
                "cn=orders,ou=services,dc=example,dc=org",
                "bind-password",
                TestDirectory.SERVICE_PASSWORD,
                "base-dn",
                TestDirectory.PEOPLE,
                "group-base-dn",
                TestDirectory.GROUPS,
                "timeout",
                "3s",
                "connect-timeout",
                "1s"));
    }

    String startTlsUrl() {
        return "ldap://localhost:" + port;
    }

    /** Stops the process in the middle of its work, like an overloaded machine, and lets the process go on. */
    void freeze() throws Exception {
        run("/bin/kill", "-STOP", Long.toString(process.pid()));
    }

    void thaw() throws Exception {
        run("/bin/kill", "-CONT", Long.toString(process.pid()));
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void startAgain() throws Exception {
        process = start();
    }

    /** As an administrator does. */
    void modify(String... ldif) throws Exception {
        try (LDAPConnection connection =
                new LDAPConnection("127.0.0.1", port, "cn=admin,dc=example,dc=org", "Admin-Secret-1815")) {
            connection.modify(ldif);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
