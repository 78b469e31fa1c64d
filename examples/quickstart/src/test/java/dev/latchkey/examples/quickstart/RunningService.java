package dev.latchkey.examples.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One process for all test classes with the same settings, because the start costs most. The process ends after the last class.
 *
 * @param folder the folder of the keys
 */
record RunningService(ServiceProcess process, Client client, Path folder) implements AutoCloseable {

    static final String API_KEY = "b7d2f0c9-54e1-4a9e-9c8e-0f3a6a1d2e77";

    @Override
    public void close() {
        process.close();
    }

    private static RunningService start() {
        try {
            Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "service");
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(API_KEY.getBytes(StandardCharsets.US_ASCII));
            Path keys = Files.writeString(
                    folder.resolve("api-keys.txt"),
                    "reporting " + HexFormat.of().formatHex(digest) + " ROLE_REPORTS\n");
            ServiceProcess process = ServiceProcess.start(
                    folder,
                    "--latchkey.plugins=users,jwt,api-key,one-time-codes,passkeys,permissions",
                    "--latchkey.plugin.api-key.file=" + keys,
                    "--logging.level.dev.latchkey=TRACE");
            return new RunningService(process, new Client(process.port()), folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Passes the service to tests with such a parameter. */
    static final class Shared implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
            return parameter.getParameter().getType() == RunningService.class;
        }

        @Override
        public RunningService resolveParameter(ParameterContext parameter, ExtensionContext test) {
            return test.getRoot()
                    .getStore(Namespace.create(RunningService.class))
                    .computeIfAbsent(RunningService.class, type -> start(), RunningService.class);
        }
    }
}
