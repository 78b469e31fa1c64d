package dev.latchkey.examples.quickstart;

import dev.latchkey.auth.jwt.HmacKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file with a random signing key, made at the first start and readable by its owner only. */
final class SigningKeyFile {

    private static final Logger LOG = LoggerFactory.getLogger(SigningKeyFile.class);

    private static final int KEY_BYTES = 32;

    private SigningKeyFile() {}

    static HmacKey readOrCreate(Path file) {
        try {
            createIfAbsent(file.toAbsolutePath());
            return HmacKey.ofFile(file);
        } catch (IOException e) {
            throw new UncheckedIOException("The signing key in " + file + " cannot be made or read", e);
        }
    }

    private static void createIfAbsent(Path file) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        Files.createDirectories(file.getParent());
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        // The rights are set as the file is made: there is no moment in which others can read it.
        try (var channel = Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly(file))) {
            channel.write(ByteBuffer.wrap(Base64.getEncoder().encode(random)));
            LOG.info("Made a signing key in {}", file);
        } catch (FileAlreadyExistsException e) {
            LOG.debug("Another process made the signing key first");
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
